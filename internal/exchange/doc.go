// Package exchange brings records in from files and takes them out as files. It knows the kinds of
// records of both domains, and no store and no HTTP.
//
// A file of anybody becomes records in four steps: its header says which column has which field
// (find.go), a Map adds what the header leaves open, the cells of the whole file are the evidence for
// marks and dates, and each row then has one result. What can mean two things is a Question, and is
// never guessed.
//
// No row is kept between these steps. A file can be read again, so each step reads it again. Source.Each takes the
// records with their results. Memory grows by eight bytes a record, the hash of its key, and by what is under the keys
// that come more than once (keys.go).
//
// A check knows records as texts. Codec turns those of a domain into texts and back, for exports too, and NewStore makes
// a database answer in texts.
package exchange
