/** The finance term whose meaning a reader asks for; the frame explains it. */
class Words {
	asked = $state("");
}

export const words = new Words();
