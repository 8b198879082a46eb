/** The name of what a screen shows, where that is more than the screen's title: an account that was opened. */
class Heading {
	name = $state("");
}

export const heading = new Heading();
