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

// TestKillBackup kills backup, restore and retention at random moments. After that each file is
// either the old one or the complete new one. The next run succeeds.
func TestKillBackup(t *testing.T) {
	rounds := times(6, 200)
	v := newBackupFixture(t)
	var sum killCounts
	for round := range rounds {
		v.killBackup(t, &sum)
		v.killRestore(t, &sum)
		v.killRetention(t, &sum)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	figure{
		"kill -9 of backup, restore, retention", fmt.Sprintf("%d rounds: each file old or complete, and the next run succeeds", rounds),
		fmt.Sprintf("%d rounds: %d backups, %d restores and %d retentions killed before their end; 0 files incomplete", rounds, sum.backups, sum.restores, sum.retentions),
		v.noticesDamagedBackups(t),
	}.report(t)
}

// killCounts counts the runs that were killed before their end.
type killCounts struct{ backups, restores, retentions int }

// backupFixture is a database, two backups of it from different times, and folders for more backups.
type backupFixture struct {
	db, folder, kept string
	old, young       string            // the backups
	heads            map[string]string // the chain heads of the backups

	backupTime, restoreTime time.Duration // how long a run takes that is not killed
}

func newBackupFixture(t *testing.T) *backupFixture {
	t.Helper()
	dir := t.TempDir()
	v := &backupFixture{
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
	v.backupTime = time.Since(began)
	for _, file := range []string{v.old, v.young} {
		v.heads[file] = headOf(t, file)
	}
	began = time.Now()
	mustRunApp(t, "restore", "--db", v.db, v.young)
	v.restoreTime = time.Since(began)
	v.removeReplaced(t)
	return v
}

// headOf returns the head of a database's chain, or "" when `app verify` finds something wrong. It
// leaves out the entry that a restore adds, so that a backup and what was restored from it have the
// same head.
func headOf(t *testing.T, path string) (head string) {
	t.Helper()
	if _, err := runApp(t, "verify", "--db", path); err != nil {
		return ""
	}
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // nothing was written
	err = db.QueryRowContext(t.Context(), `SELECT coalesce((SELECT hex(hash) FROM journal_links
		WHERE through <= (SELECT max(seq) FROM journal WHERE entity <> 'restores') ORDER BY through DESC LIMIT 1), 'empty')`).Scan(&head)
	if err != nil {
		t.Fatal(err)
	}
	return head
}

// killSoon starts a process, and kills it at a random moment within that time. It reports whether
// the process still ran.
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

func (v *backupFixture) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), app, args...)
	command.Env = plainEnvironment()
	return command
}

// killBackup kills a backup, and takes another.
func (v *backupFixture) killBackup(t *testing.T, sum *killCounts) {
	t.Helper()
	before := headOf(t, v.db)
	if killSoon(t, v.command(t, "backup", "--db", v.db, filepath.Join(v.folder, "killed.db")), v.backupTime*11/10) {
		sum.backups++
	}
	for _, complaint := range append(checkBackups(t, v.folder), v.checkHead(t, v.db, before)...) {
		t.Errorf("killed backup: %s", complaint)
	}
	next := filepath.Join(v.folder, "next.db")
	mustRunApp(t, "backup", "--db", v.db, next)
	for _, complaint := range append(checkBackups(t, v.folder), v.checkHead(t, next, before)...) {
		t.Errorf("after a killed backup: %s", complaint)
	}
	for _, name := range namesIn(t, v.folder) {
		if strings.HasPrefix(name, ".") {
			t.Errorf("after a killed backup: got the temporary file %s, want none", name)
		}
		if err := os.Remove(filepath.Join(v.folder, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// killRestore kills a restore, and restores the same backup again.
func (v *backupFixture) killRestore(t *testing.T, sum *killCounts) {
	t.Helper()
	before, file := headOf(t, v.db), v.old
	if before == v.heads[file] {
		file = v.young
	}
	if killSoon(t, v.command(t, "restore", "--db", v.db, file), v.restoreTime*11/10) {
		sum.restores++
	}
	for _, complaint := range v.checkHead(t, v.db, before, v.heads[file]) {
		t.Errorf("killed restore: %s", complaint)
	}
	if headOf(t, v.db) == v.heads[file] && !v.hasReplaced(t, before) {
		t.Error("killed restore: the replaced database is gone, want it kept as .before-restore-")
	}
	mustRunApp(t, "restore", "--db", v.db, file)
	for _, complaint := range v.checkHead(t, v.db, v.heads[file]) {
		t.Errorf("after a killed restore: %s", complaint)
	}
	if !v.hasReplaced(t, before) {
		t.Error("after a killed restore: the replaced database is gone, want it kept as .before-restore-")
	}
	if _, err := os.Stat(v.db + ".restoring"); err == nil {
		t.Error("after a killed restore: its temporary copy .restoring is left, want it removed")
	}
	for _, complaint := range append(v.checkHead(t, v.old, v.heads[v.old]), v.checkHead(t, v.young, v.heads[v.young])...) {
		t.Errorf("the backups: %s", complaint)
	}
	v.removeReplaced(t)
}

// checkHead reports a database that fails `app verify`, or whose chain head is none of those wanted.
func (v *backupFixture) checkHead(t *testing.T, db string, want ...string) []string {
	t.Helper()
	if got := headOf(t, db); got == "" || !slices.Contains(want, got) {
		return []string{fmt.Sprintf("%s: got chain head %q, want one of %q", filepath.Base(db), got, want)}
	}
	return nil
}

func (v *backupFixture) replaced(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(v.db + ".before-restore-*")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func (v *backupFixture) hasReplaced(t *testing.T, head string) bool {
	t.Helper()
	return slices.ContainsFunc(v.replaced(t), func(file string) bool { return headOf(t, file) == head })
}

func (v *backupFixture) removeReplaced(t *testing.T) {
	t.Helper()
	for _, file := range v.replaced(t) {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}

// checkBackups reports each backup in a folder that is not complete, or that has no manifest with its
// checksum and size.
func checkBackups(t *testing.T, folder string) (complaints []string) {
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
			complaints = append(complaints, name+" differs from its manifest")
		}
	}
	return complaints
}

// namesIn lists the files of a folder without the lock files.
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
	// keptDatabase is the environment variable that makes this binary take and remove backups of a
	// database until it is killed: one backup for each day of a simulated clock.
	keptDatabase = "SOAK_KEPT_DATABASE"
	keptFolder   = "SOAK_KEPT_FOLDER"
)

// firstDay is the first day of the simulated clock.
var firstDay = time.Date(2026, 1, 1, 3, 0, 0, 0, time.UTC)

// keepBackups takes a backup for each day after the newest backup.
func keepBackups(ctx context.Context, db string) (exitCode int) {
	now := firstDay.AddDate(100, 0, 0) // late enough that no backup is dated in the future
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
	keeper.Run(ctx) // it logs failures
	return 0
}

// killRetention runs a process that takes and removes backups, and kills it.
func (v *backupFixture) killRetention(t *testing.T, sum *killCounts) {
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
		time.Sleep(time.Millisecond) // until it has taken a backup
	}
	if killRunning(keeping, time.Second) {
		sum.retentions++
	}
	if complained.String() != "" {
		t.Errorf("the keeper: %s", complained.String())
	}
	for _, complaint := range v.checkRetained(t, before, strings.Fields(said.String())) {
		t.Errorf("a killed retention: %s", complaint)
	}
}

// days returns the days of the backups in the folder, the oldest first.
func (v *backupFixture) days(t *testing.T) (days []string) {
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

// checkRetained reports incomplete backups, missing backups, and more backups than a process leaves
// that was killed while it removed some. The rule of retention, applied to the backups from before
// and those taken since, says which must be there.
func (v *backupFixture) checkRetained(t *testing.T, before, taken []string) (complaints []string) {
	t.Helper()
	complaints = checkBackups(t, v.kept)
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
			complaints = append(complaints, "the backup of "+day+" is gone, want it kept")
		}
	}
	if most := 7 + 4 + 12 + 1; len(got) > most {
		complaints = append(complaints, fmt.Sprintf("got %d backups, want at most %d", len(got), most))
	}
	return complaints
}

// noticesDamagedBackups is the control: the checks must report half a backup, half a restored database,
// and a retention that removed a backup too many.
func (v *backupFixture) noticesDamagedBackups(t *testing.T) string {
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
	// After a kill the name of a backup may have a later second, because the manifest of the killed
	// one had taken the first name.
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
	if len(checkBackups(t, filepath.Dir(half))) == 0 || len(v.checkHead(t, half, v.heads[v.old])) == 0 || len(v.checkRetained(t, days, nil)) == 0 {
		t.Error("half a backup, half a restore and a missing backup: got no report for one of them, want one for each")
	}
	return "half a backup, half a restore, one backup removed too many: noticed"
}

// errorLine returns an error unless a command failed with exactly one line that begins with "app: ".
func errorLine(said string, err error) error {
	if _, failed := errors.AsType[*exec.ExitError](err); !failed {
		return fmt.Errorf("got %w and %q, want a failure", err, said)
	}
	if !strings.HasPrefix(said, "app: ") || strings.Count(said, "\n") != 1 {
		return fmt.Errorf("got %q, want one line", said)
	}
	return nil
}
