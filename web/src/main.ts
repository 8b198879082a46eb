import { mount } from "svelte";
import App from "./App.svelte";
import "./colours.css";
import "./type.css";
import "./style.css";
import "./shell/theme.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no place for the page");
mount(App, { target });
