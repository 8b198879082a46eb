package disk

import "golang.org/x/sys/windows"

// Room returns how many bytes a process may still write to the disk of a folder, and how many the disk
// holds in all.
func Room(dir string) (free, all int64, err error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, 0, err
	}
	var available, total uint64
	if err := windows.GetDiskFreeSpaceEx(name, &available, &total, nil); err != nil {
		return 0, 0, err
	}
	return int64(available), int64(total), nil
}
