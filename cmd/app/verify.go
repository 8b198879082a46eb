package main

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"daybook/db/records"
	"daybook/db/sqlite/verify"
	"daybook/internal/backup"
	"daybook/internal/journal"
)

func verifyCommand() *cobra.Command {
	var o verifyOptions
	command := &cobra.Command{
		Use:   "verify",
		Short: "Check the database file, its journal, and that the two agree",
		Long: `Verify checks the schema, the pages and indexes of the file, its foreign keys, and the
chain of the journal; that folding the journal gives exactly the live tables; that
positions and their checkpoints are the sums of their trades; that the counters of ids
match the journal; that no session lasts too long; and that the answers stored for
retries match the journal. It changes nothing and may run beside a server,
or on a disk that is read-only.

Somebody who can write the file can also write another journal and compute its chain again.
Only a note kept elsewhere reveals that: --against takes the manifest of a backup, or a link
as the log and this command print it, and reports a chain that does not have that link.`,
		Args: cobra.NoArgs,
		RunE: o.verify,
	}
	flags := command.Flags()
	flags.StringArrayVar(&o.against, "against", nil, "a `manifest` of a backup, or a link as SEQ:HASH, that the chain must have (repeatable)")
	flags.StringVar(&o.signedBy, "signed-by", "", "the `file` of the public key that must have signed the manifests of --against")
	return command
}

type verifyOptions struct {
	against  []string
	signedBy string
}

func (o *verifyOptions) verify(cmd *cobra.Command, _ []string) error {
	witnesses, err := o.witnesses()
	if err != nil {
		return err
	}
	v, err := verify.Database(cmd.Context(), database(cmd), progressBar(cmd.ErrOrStderr()), witnesses...)
	if err != nil {
		return err
	}
	for _, finding := range v.Findings {
		fmt.Fprintln(cmd.OutOrStdout(), finding)
	}
	if len(v.Findings) > 0 {
		return fmt.Errorf("%s is damaged or was changed by another program: %d findings", database(cmd), len(v.Findings))
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s is whole: %d journal entries give exactly its %d records\nchain head %s\nfile and foreign keys %s, chain and fold %s\n",
		database(cmd), v.Entries, v.Records, journal.Head{Seq: journal.Seq(v.Entries), Hash: v.Head},
		v.FileTime.Round(time.Millisecond), v.FoldTime.Round(time.Millisecond))
	return nil
}

// witnesses returns the links that the chain must have.
func (o *verifyOptions) witnesses() ([]records.Witness, error) {
	key, err := publicKey(o.signedBy)
	if err != nil {
		return nil, err
	}
	var witnesses []records.Witness
	manifests := 0
	for _, against := range o.against {
		if isLink.MatchString(against) {
			head, err := journal.ParseHead(against)
			if err != nil {
				return nil, fmt.Errorf("--against %w", err)
			}
			witnesses = append(witnesses, records.Witness{Head: head, Name: "--against"})
			continue
		}
		m, err := backup.ReadManifest(against, key)
		if err != nil {
			return nil, fmt.Errorf("--against: %w", err)
		}
		head, err := m.ChainHead()
		if err != nil {
			return nil, fmt.Errorf("--against: %s: %w", against, err)
		}
		witnesses = append(witnesses, records.Witness{Head: head, Name: against})
		manifests++
	}
	if key != nil && manifests == 0 {
		return nil, errors.New("--signed-by needs --against with a manifest, because the key signs manifests")
	}
	return witnesses, nil
}

// isLink tells a link from the path of a manifest.
var isLink = regexp.MustCompile(`^\d+:`)

// publicKey reads the key of --signed-by, nil if the flag is not given.
func publicKey(path string) (ed25519.PublicKey, error) {
	if path == "" {
		return nil, nil
	}
	key, err := backup.LoadPublicKey(path)
	if err != nil {
		return nil, fmt.Errorf("--signed-by: %w", err)
	}
	return key, nil
}

// progressBar draws only on a terminal.
func progressBar(out io.Writer) verify.Progress {
	f, ok := out.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	const width = 40
	drawn := int64(-1)
	return func(done, all int64) {
		percent := int64(100)
		if all > 0 {
			percent = min(100, done*100/all)
		}
		if percent == drawn {
			return
		}
		drawn = percent
		bar := strings.Repeat("█", int(percent)*width/100)
		fmt.Fprintf(out, "\r%-*s %3d %%", width, bar, percent)
		if done >= all {
			fmt.Fprint(out, "\r\033[K")
		}
	}
}
