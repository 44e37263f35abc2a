import { Group, Pagination, Select, Text } from '@mantine/core'
import { t } from '../language/t.ts'
import type { ListState } from './list-state.ts'

interface PagerProps {
  state: ListState
  pagination: { total: number; totalPages: number } | undefined
}

/** The position in a list. Pages are counted from 0 in the URL and the API, from 1 on screen. */
export function Pager({ state, pagination }: PagerProps) {
  if (pagination === undefined || pagination.total === 0) return null
  const { total, totalPages } = pagination
  const first = state.page * state.size + 1
  return (
    <Group justify="space-between" mt="sm" className="no-print">
      <Text size="sm" c="dimmed" aria-live="polite">
        {t('{first, number} to {count, number} of {total, number}', {
          first,
          count: Math.min(total, first + state.size - 1),
          total,
        })}
      </Text>
      {totalPages > 1 && (
        <Pagination
          size="sm"
          total={totalPages}
          value={state.page + 1}
          onChange={(page) => state.turn(page - 1)}
          getControlProps={(control) => ({ 'aria-label': t('{control} page', { control }) })}
        />
      )}
      {total > 25 && (
        <Select
          size="xs"
          w={120}
          aria-label={t('Rows on a page')}
          value={String(state.size)}
          onChange={(size) => size && state.resize(Number(size))}
          data={sizesWith(state.size).map((size) => ({
            value: String(size),
            label: t('{size, number} rows', { size }),
          }))}
          allowDeselect={false}
        />
      )}
    </Group>
  )
}

// The URL may name another one.
const sizesWith = (size: number): number[] => [...new Set([25, 50, 100, 250, size])].sort((a, b) => a - b)
