package soak_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sqlitebackup "daybook/db/sqlite/backup"
	"daybook/internal/backup"
)

// TestKillBackup: backup, restore and retention are killed at random moments. Under
// every name is then what was there before or all of what was to come there, and the
// next run does what the killed one was to do.
func TestKillBackup(t *testing.T) {
	rounds := times(6, 200)
	v := newVault(t)
	var sum killed
	for round := range rounds {
		v.killBackup(t, &sum)
		v.killRestore(t, &sum)
		v.killRetention(t, &sum)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	figure{
		"kill -9 of backup, restore, retention", fmt.Sprintf("%d rounds: as before or whole, and the next one works", rounds),
		fmt.Sprintf("%d rounds: %d backups, %d restores and %d retentions killed before their end; 0 half there", rounds, sum.backups, sum.restores, sum.retentions),
		v.noticesHalves(t),
	}.report(t)
}

// killed counts what a kill came in time for.
type killed struct{ backups, restores, retentions int }

// vault is a database, two backups of it from different times, and a folder for more.
type vault struct {
	db, folder, kept string
	old, young       string            // the backups
	heads            map[string]string // of their chains
	backing, putting time.Duration     // how long a whole run takes
}

func newVault(t *testing.T) *vault {
	t.Helper()
	dir := t.TempDir()
	v := &vault{
		db: filepath.Join(dir, "app.db"), folder: filepath.Join(dir, "backups"), kept: filepath.Join(dir, "kept"),
		old: filepath.Join(dir, "old.db"), young: filepath.Join(dir, "young.db"), heads: map[string]string{},
	}
	for _, d := range []string{v.folder, v.kept} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	mustRunApp(t, "seed", "--db", v.db, "--trades", "100", "--departments", "2", "--accounts", "5", "--years", "1")
	fill(t, v.db, 6<<20)
	mustRunApp(t, "backup", "--db", v.db, v.old)
	server := serve(t, v.db)
	server.send(t, "POST", "/currency/add", `{"code":"YNG","name":"Young"}`, 201)
	if err := server.stop(t); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	mustRunApp(t, "backup", "--db", v.db, v.young)
	v.backing = time.Since(began)
	for _, file := range []string{v.old, v.young} {
		v.heads[file] = headOf(t, file)
	}
	began = time.Now()
	mustRunApp(t, "restore", "--db", v.db, v.young)
	v.putting = time.Since(began)
	v.forgetAsides(t)
	return v
}

// headOf is the head of a database's chain before what the last restore recorded, so that
// it is that of the backup that was restored; "" when the database is not whole.
func headOf(t *testing.T, path string) (head string) {
	t.Helper()
	if _, err := runApp(t, "verify", "--db", path); err != nil {
		return ""
	}
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // it was only read
	err = db.QueryRowContext(t.Context(), `SELECT coalesce((SELECT hex(hash) FROM journal_links
		WHERE through <= (SELECT max(seq) FROM journal WHERE entity <> 'abandoned_heads') ORDER BY through DESC LIMIT 1), 'empty')`).Scan(&head)
	if err != nil {
		t.Fatal(err)
	}
	return head
}

// killSoon starts a process, and kills it before a time is over. It reports whether the
// process had not come to its end.
func killSoon(t *testing.T, command *exec.Cmd, within time.Duration) bool {
	t.Helper()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	return killRunning(command, within)
}

func killRunning(command *exec.Cmd, within time.Duration) bool {
	time.Sleep(rand.N(within))
	_ = command.Process.Kill() // it may be gone already
	return command.Wait() != nil
}

func (v *vault) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), app, args...)
	command.Env = plainEnvironment()
	return command
}

// killBackup kills a backup, and takes another.
func (v *vault) killBackup(t *testing.T, sum *killed) {
	t.Helper()
	before := headOf(t, v.db)
	if killSoon(t, v.command(t, "backup", "--db", v.db, filepath.Join(v.folder, "killed.db")), v.backing*11/10) {
		sum.backups++
	}
	for _, complaint := range append(halves(t, v.folder), v.head(t, v.db, before)...) {
		t.Errorf("a killed backup: %s", complaint)
	}
	next := filepath.Join(v.folder, "next.db")
	mustRunApp(t, "backup", "--db", v.db, next)
	for _, complaint := range append(halves(t, v.folder), v.head(t, next, before)...) {
		t.Errorf("after a killed backup: %s", complaint)
	}
	for _, name := range namesIn(t, v.folder) {
		if strings.HasPrefix(name, ".") {
			t.Errorf("after a killed backup: %s is left", name)
		}
		if err := os.Remove(filepath.Join(v.folder, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// killRestore kills a restore, and does it again.
func (v *vault) killRestore(t *testing.T, sum *killed) {
	t.Helper()
	before, file := headOf(t, v.db), v.old
	if before == v.heads[file] {
		file = v.young
	}
	if killSoon(t, v.command(t, "restore", "--db", v.db, file), v.putting*11/10) {
		sum.restores++
	}
	for _, complaint := range v.head(t, v.db, before, v.heads[file]) {
		t.Errorf("a killed restore: %s", complaint)
	}
	if headOf(t, v.db) == v.heads[file] && !v.hasAside(t, before) {
		t.Error("a killed restore: the database that was there before is gone")
	}
	mustRunApp(t, "restore", "--db", v.db, file)
	for _, complaint := range v.head(t, v.db, v.heads[file]) {
		t.Errorf("after a killed restore: %s", complaint)
	}
	if !v.hasAside(t, before) {
		t.Error("after a killed restore: the database that was there before is gone")
	}
	if _, err := os.Stat(v.db + ".restoring"); err == nil {
		t.Error("after a killed restore: its copy is left")
	}
	for _, complaint := range append(v.head(t, v.old, v.heads[v.old]), v.head(t, v.young, v.heads[v.young])...) {
		t.Errorf("the backups: %s", complaint)
	}
	v.forgetAsides(t)
}

// head complains of a database that is not whole, or whose chain has none of the heads.
func (v *vault) head(t *testing.T, db string, want ...string) []string {
	t.Helper()
	if got := headOf(t, db); got == "" || !slices.Contains(want, got) {
		return []string{fmt.Sprintf("%s: got chain head %q, want one of %q", filepath.Base(db), got, want)}
	}
	return nil
}

func (v *vault) asides(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(v.db + ".before-restore-*")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func (v *vault) hasAside(t *testing.T, head string) bool {
	t.Helper()
	return slices.ContainsFunc(v.asides(t), func(file string) bool { return headOf(t, file) == head })
}

func (v *vault) forgetAsides(t *testing.T) {
	t.Helper()
	for _, file := range v.asides(t) {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}

// halves complains of every backup in a folder that is not whole, or has no manifest
// that says so.
func halves(t *testing.T, folder string) (complaints []string) {
	t.Helper()
	for _, name := range namesIn(t, folder) {
		if strings.HasPrefix(name, ".") || !strings.HasSuffix(name, ".db") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, name+".json"))
		if err != nil {
			complaints = append(complaints, fmt.Sprintf("%s has no manifest: %v", name, err))
			continue
		}
		m, err := backup.Parse(text)
		if err != nil {
			complaints = append(complaints, fmt.Sprintf("%s.json: %v", name, err))
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != m.SHA256 || int64(len(content)) != m.Bytes || m.File != name {
			complaints = append(complaints, name+" is not what its manifest says")
		}
	}
	return complaints
}

// namesIn lists a folder, locks left out.
func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".lock") {
			names = append(names, entry.Name())
		}
	}
	return names
}

const (
	// keptDatabase is the environment variable that makes this binary keep backups of a
	// database, one a day by a clock of its own, until it is killed.
	keptDatabase = "SOAK_KEPT_DATABASE"
	keptFolder   = "SOAK_KEPT_FOLDER"
)

// firstDay is the first day of that clock.
var firstDay = time.Date(2026, 1, 1, 3, 0, 0, 0, time.UTC)

// keepBackups goes on from the newest backup, a day at a time.
func keepBackups(ctx context.Context, db string) (exitCode int) {
	now := firstDay.AddDate(100, 0, 0) // so that the newest is not one of the future
	config := backup.Config{
		Database: db, Dir: os.Getenv(keptFolder), Every: 24 * time.Hour,
		Take: func(ctx context.Context, file string, at time.Time) (backup.Manifest, error) {
			m, err := sqlitebackup.Backup(ctx, db, file, "soak", at)
			if err == nil {
				fmt.Println(now.Format(time.DateOnly))
			}
			return m, err
		},
		Now: func() time.Time { return now },
		After: func(nap time.Duration) <-chan time.Time {
			now = now.Add(nap)
			passed := make(chan time.Time, 1)
			passed <- now
			return passed
		},
		Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
	}
	keeper := backup.NewKeeper(config)
	now = firstDay
	if newest := keeper.Status().Newest; newest.File != "" {
		now = newest.TakenAt.Add(config.Every)
	}
	keeper.Run(ctx) // which tells of a failure
	return 0
}

// killRetention lets a Keeper take and remove backups, and kills it.
func (v *vault) killRetention(t *testing.T, sum *killed) {
	t.Helper()
	before := v.days(t)
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	small := filepath.Join(filepath.Dir(v.kept), "small.db")
	if len(before) == 0 {
		mustRunApp(t, "migrate", "--db", small)
	}
	keeping := exec.CommandContext(t.Context(), own)
	var said, complained lockedBuffer
	keeping.Env = append(plainEnvironment(), keptDatabase+"="+small, keptFolder+"="+v.kept)
	keeping.Stdout, keeping.Stderr = &said, &complained
	if err := keeping.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); said.String()+complained.String() == "" && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond) // so that there is a backup to keep
	}
	if killRunning(keeping, time.Second) {
		sum.retentions++
	}
	if complained.String() != "" {
		t.Errorf("the keeper: %s", complained.String())
	}
	for _, complaint := range v.retained(t, before, strings.Fields(said.String())) {
		t.Errorf("a killed retention: %s", complaint)
	}
}

// days are those of the backups that are kept, the oldest first.
func (v *vault) days(t *testing.T) (days []string) {
	t.Helper()
	for _, name := range namesIn(t, v.kept) {
		stamp, isBackup := strings.CutPrefix(name, "small-")
		if isBackup && strings.HasSuffix(stamp, ".db") {
			at, err := time.Parse("20060102-150405.db", stamp)
			if err != nil {
				t.Fatal(err)
			}
			days = append(days, at.Format(time.DateOnly))
		}
	}
	return days
}

// retained complains of a folder in which a backup is half there, one that must be kept
// is gone, or more are left than a kill in the midst of a removal leaves. Of what was
// there before and was taken since, those must be kept that the rule keeps of both.
func (v *vault) retained(t *testing.T, before, taken []string) (complaints []string) {
	t.Helper()
	complaints = halves(t, v.kept)
	got := v.days(t)
	var ever []time.Time
	for _, day := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(before, taken, got)))) {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		ever = append(ever, at)
	}
	for i, kept := range backup.Kept(ever, firstDay.AddDate(100, 0, 0)) {
		if day := ever[i].Format(time.DateOnly); kept && !slices.Contains(got, day) {
			complaints = append(complaints, day+" is gone, and is to be kept")
		}
	}
	if most := 7 + 4 + 12 + 1; len(got) > most {
		complaints = append(complaints, fmt.Sprintf("got %d backups, want at most %d", len(got), most))
	}
	return complaints
}

// noticesHalves is the control: a backup and a restore that write in place, killed half
// way, and a retention that removes one too many.
func (v *vault) noticesHalves(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile(v.old)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile(v.old + ".json")
	if err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(t.TempDir(), "old.db")
	days := v.days(t)
	// After a kill a backup may be named for a later second: its manifest had the name already.
	newest, err := filepath.Glob(filepath.Join(v.kept, "small-"+strings.ReplaceAll(days[len(days)-1], "-", "")+"-*.db"))
	if err != nil || len(newest) == 0 {
		t.Fatalf("got %q, %v, want the newest backup", newest, err)
	}
	for _, err := range []error{
		os.WriteFile(half, content[:len(content)/2], 0o600), os.WriteFile(half+".json", manifest, 0o600), os.Remove(newest[0]),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(halves(t, filepath.Dir(half))) == 0 || len(v.head(t, half, v.heads[v.old])) == 0 || len(v.retained(t, days, nil)) == 0 {
		t.Error("what is half there, or gone, was not noticed")
	}
	return "written in place and killed half way, and one removed too many: noticed"
}

// errorLine complains of a command that did not fail with one line of its own.
func errorLine(said string, err error) error {
	if _, failed := errors.AsType[*exec.ExitError](err); !failed {
		return fmt.Errorf("got %w and %q, want a failure", err, said)
	}
	if !strings.HasPrefix(said, "app: ") || strings.Count(said, "\n") != 1 {
		return fmt.Errorf("got %q, want one line", said)
	}
	return nil
}
