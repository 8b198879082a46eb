import { mount } from "svelte";
import "../../src/colours.css";
import "../../src/style.css";
import States from "./States.svelte";

const target = document.getElementById("page");
document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
if (target) mount(States, { target });
