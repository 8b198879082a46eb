package money

import "strings"

// The codes of ISO 4217 as of 2026, those of funds, metals and testing too.
var isoCodes = func() map[Currency]bool {
	codes := map[Currency]bool{}
	for code := range strings.FieldsSeq(`
		AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD
		CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP
		GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR
		KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN
		MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD
		SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX
		USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF
		XPT XSU XTS XUA XXX YER ZAR ZMW ZWG
	`) {
		codes[Currency(code)] = true
	}
	return codes
}()

// ISO reports whether c is a code of ISO 4217 in force.
func (c Currency) ISO() bool { return isoCodes[c] }

// Decimals is how many decimals amounts in the currency have (ISO 4217); 2 in an unknown one.
func (c Currency) Decimals() int {
	switch c {
	case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND":
		return 3
	case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF":
		return 0
	}
	return 2
}
