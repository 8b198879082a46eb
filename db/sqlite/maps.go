package sqlite

import (
	"context"

	"daybook/db/records"
	"daybook/db/sqlite/internal/gen"
	"daybook/db/sqlite/rows"
	"daybook/db/sqlite/sqlerr"
	"daybook/internal/journal"
	"daybook/internal/mapping"
	"daybook/internal/text"
)

var _ mapping.Store = (*Store)(nil)

// Maps implements mapping.Store.
func (s *Store) Maps(ctx context.Context) ([]mapping.Map, error) {
	found, err := s.reader.ListNewestMaps(ctx)
	return eachOf(rows.SavedMap, found, err)
}

// Map implements mapping.Store.
func (s *Store) Map(ctx context.Context, name text.Code) (mapping.Map, error) {
	row, err := s.reader.GetMap(ctx, string(name))
	return rows.SavedMap(row), sqlerr.Classify(sqlerr.Missing(err, noMap, name))
}

const noMap = "there is no map %q"

// PutMap implements mapping.Store.
func (s *Store) PutMap(ctx context.Context, m mapping.Map) (mapping.Map, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (mapping.Map, error) {
		m := m
		m.At = q.journal.At
		row, err := q.GetMap(ctx, string(m.Name))
		old := rows.SavedMap(row)
		switch {
		case sqlerr.IsNoRow(err):
			id, err := q.InsertMap(ctx, gen.InsertMapParams{Name: string(m.Name), Kind: m.Kind, Map: m.Text, At: m.At.UnixMicro()})
			if err != nil {
				return m, err
			}
			m.ID = mapping.ID(id)
			return m, q.tell(ctx, journal.Maps, id, nil, records.Map(m))
		case err != nil:
			return m, err
		case old.Kind == m.Kind && old.Text == m.Text:
			return old, nil
		}
		m.ID = old.ID
		if err := q.UpdateMap(ctx, gen.UpdateMapParams{Kind: m.Kind, Map: m.Text, At: m.At.UnixMicro(), ID: row.ID}); err != nil {
			return m, err
		}
		return m, q.tell(ctx, journal.Maps, row.ID, records.Map(old), records.Map(m))
	})
}

// DeleteMap implements mapping.Store.
func (s *Store) DeleteMap(ctx context.Context, name text.Code) (mapping.Map, error) {
	return write(ctx, s, func(ctx context.Context, q *tx) (mapping.Map, error) {
		row, err := q.GetMap(ctx, string(name))
		if err != nil {
			return mapping.Map{}, sqlerr.Missing(err, noMap, name)
		}
		m := rows.SavedMap(row)
		if err := q.DeleteMap(ctx, row.ID); err != nil {
			return m, err
		}
		return m, q.tell(ctx, journal.Maps, row.ID, records.Map(m), nil)
	})
}
