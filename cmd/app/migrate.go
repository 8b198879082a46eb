package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"daybook/db/sqlite"
	"daybook/internal/backup"
)

func migrateCommand() *cobra.Command {
	var signKey string
	run := func(cmd *cobra.Command, _ []string) error { return migrateUp(cmd, signKey) }
	up := &cobra.Command{
		Use:   "up",
		Short: "Create the database or bring it up to date (the default)",
		Args:  cobra.NoArgs,
		RunE:  run,
	}
	status := &cobra.Command{
		Use:   "status",
		Short: "List the migrations and which of them the database has taken",
		Args:  cobra.NoArgs,
		RunE:  migrateStatus,
	}
	migrate := &cobra.Command{
		Use:   "migrate",
		Short: "Create the database or bring it up to date",
		Args:  cobra.NoArgs,
		RunE:  run,
	}
	declareSignKey(migrate.Flags(), &signKey)
	declareSignKey(up.Flags(), &signKey)
	migrate.AddCommand(up, status)
	return migrate
}

// migrateUp migrates the database. The backup before a migration is signed if there is a key.
func migrateUp(cmd *cobra.Command, signKey string) error {
	key, err := privateKey(signKey)
	if err != nil {
		return err
	}
	upgrade, err := sqlite.Migrate(backup.Signed(cmd.Context(), key), database(cmd))
	if err != nil {
		return err
	}
	if upgrade.Backup != "" {
		fmt.Fprintf(cmd.OutOrStdout(), "took the backup %s\n", upgrade.Backup)
	}
	for _, step := range upgrade.Steps {
		fmt.Fprintf(cmd.OutOrStdout(), "applied %s\n", step.Name)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s is up to date\n", database(cmd))
	return nil
}

func migrateStatus(cmd *cobra.Command, _ []string) error {
	steps, err := sqlite.Migrations(cmd.Context(), database(cmd))
	if err != nil {
		return err
	}
	for _, step := range steps {
		state := "pending"
		if !step.Applied.IsZero() {
			state = "applied " + step.Applied.UTC().Format(time.RFC3339)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s\t%s\n", step.Name, state)
	}
	return nil
}
