import { accountTypeValues } from "../api/schema";

export type AccountType = (typeof accountTypeValues)[number];

/** The account types, in the order of a profit and loss statement. */
export const accountTypes: readonly AccountType[] = accountTypeValues;

const titles: Record<AccountType, string> = {
	revenue: "Revenue",
	cogs: "Cost of goods sold",
	opex: "Operating expenses",
	headcount: "Headcount costs",
	capex: "Capital expenditure",
};

/** accountTypeTitle returns the name of an account type on the page. */
export function accountTypeTitle(type: AccountType): string {
	return titles[type] ?? type;
}
