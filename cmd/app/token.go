package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"daybook/db/sqlite"
	"daybook/internal/access"
	"daybook/internal/fault"
	"daybook/internal/journal"
	"daybook/internal/text"
)

func tokenCommand() *cobra.Command {
	token := &cobra.Command{
		Use:   "token",
		Short: "Make, list and revoke the tokens that let others in",
		Args:  cobra.NoArgs,
		RunE:  listTokens,
	}
	token.AddCommand(createTokenCommand(), &cobra.Command{
		Use:   "list",
		Short: "List all tokens, without their secrets (the default)",
		Args:  cobra.NoArgs,
		RunE:  listTokens,
	}, &cobra.Command{
		Use:   "revoke ID",
		Short: "End a token and its sessions at once",
		Args:  cobra.ExactArgs(1),
		RunE:  revokeToken,
	})
	return token
}

func createTokenCommand() *cobra.Command {
	var name, scope, expires string
	create := &cobra.Command{
		Use:   "create --name NAME --scope SCOPE",
		Short: "Make a token and print its secret, this once",
		Long: `Create makes a token and prints its secret alone on standard output, so that a script
can take it. It is not stored and cannot be printed again.

The scopes: metrics allows only /metrics; read every list and report too; ingest only the
posting of actuals; write every change of records; admin backups too.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			var o tokenOptions
			var fields fault.Fields // all at once, and before the command creates a file
			o.name, err = text.ParseName(name)
			fields.Check("--name", err)
			o.scope, err = access.ParseScope(scope)
			fields.Check("--scope", err)
			if cmd.Flags().Changed("expires") {
				o.lasts, err = parseSpan(expires)
				fields.Check("--expires", err)
			}
			if err := fields.Err(); err != nil {
				return err
			}
			return o.create(cmd)
		},
	}
	flags := create.Flags()
	flags.StringVar(&name, "name", "", "the `name` it goes by in lists and in the journal (required)")
	flags.StringVar(&scope, "scope", "", "the `scope`, what it allows: metrics, read, ingest, write or admin (required)")
	flags.StringVar(&expires, "expires", "", "the `time` after which it ends, like 365d, 12h or 90m (default never)")
	return create
}

type tokenOptions struct {
	name  text.Name
	scope access.Scope
	lasts time.Duration // 0 = no end
}

func (o tokenOptions) create(cmd *cobra.Command) error {
	outliveReaders() // a user who did not get the secret must be told to revoke it
	return withAuthenticator(cmd, sqlite.Open, func(ctx context.Context, a *access.Authenticator) error {
		secret, t, err := a.Create(ctx, o.name, o.scope, o.lasts)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(cmd.OutOrStdout(), secret); err != nil {
			return fmt.Errorf("the secret of token %d could not be printed; revoke it and make another: %w", t.ID, err)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "token %s, expires %s: its secret, on standard output, is shown this once; send it as \"Authorization: Bearer SECRET\"\n",
			described(t), orNever(t.Expires))
		return nil
	})
}

func listTokens(cmd *cobra.Command, _ []string) error {
	tokens, err := sqlite.Tokens(cmd.Context(), database(cmd))
	if err != nil {
		return err
	}
	return printTokens(cmd.OutOrStdout(), tokens, time.Now())
}

func printTokens(out io.Writer, tokens []access.Token, now time.Time) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tNAME\tSCOPE\tCREATED\tEXPIRES\tLAST USED\tSTATE")
	for _, t := range tokens {
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", t.ID, text.Printable(string(t.Name)), text.Printable(string(t.Scope)),
			orNever(t.Created), orNever(t.Expires), orNever(t.LastUsed), t.State(now))
	}
	return table.Flush()
}

func revokeToken(cmd *cobra.Command, args []string) error {
	id, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not the id of a token; app token list shows them", text.Shorten(args[0]))
	}
	return withAuthenticator(cmd, sqlite.OpenExisting, func(ctx context.Context, a *access.Authenticator) error {
		t, err := a.Revoke(ctx, access.TokenID(id))
		if err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "token %s, is revoked since %s\n", described(t), orNever(t.Revoked))
		return nil
	})
}

// openStore is a way to open a database.
type openStore func(ctx context.Context, path string, now func() time.Time) (*sqlite.Store, error)

// withAuthenticator opens the database and passes its authenticator to do.
func withAuthenticator(cmd *cobra.Command, open openStore, do func(context.Context, *access.Authenticator) error) (err error) {
	store, err := open(cmd.Context(), database(cmd), time.Now)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	ctx := journal.With(cmd.Context(), journal.Origin{Actor: "app token"})
	return do(ctx, access.NewAuthenticator(store, time.Now))
}

func described(t access.Token) string {
	return text.Printable(fmt.Sprintf("%d, %s (%s)", t.ID, t.Name, t.Scope))
}

func orNever(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format(time.RFC3339)
}
