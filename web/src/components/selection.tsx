import { Button, Group, Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { t } from '../language/t.ts'
import { useCsv } from './csv-button.tsx'
import type { ListState } from './list-state.ts'

type Key = string | number

export interface Selection {
  keys: ReadonlySet<Key>
  set: (keys: readonly Key[], isSelected: boolean) => void
  clear: () => void
}

/** Which rows of a list are selected. Another filter, page or order begins again: what is not seen is not acted on. */
export function useSelection({ query }: ListState): Selection {
  const [keys, setKeys] = useState<ReadonlySet<Key>>(new Set())
  const view = JSON.stringify(query)
  useEffect(() => setKeys(new Set()), [view])
  return {
    keys,
    set: (changed, isSelected) => {
      const next = new Set(keys)
      for (const key of changed) isSelected ? next.add(key) : next.delete(key)
      setKeys(next)
    },
    clear: () => setKeys(new Set()),
  }
}

interface SelectionBarProps {
  selection: Selection
  /** The route that answers the selected rows as CSV, and its parameter for them. */
  csv: string
  by: string
  /** What else can be done with them. */
  children?: ReactNode
}

/** What can be done with the selected rows; nothing while none is. */
export function SelectionBar({ selection, csv, by, children }: SelectionBarProps) {
  const { isBusy, save } = useCsv(csv)
  const count = selection.keys.size
  return (
    <div role="status" className="no-print">
      {count > 0 && (
        <Group gap="xs" mb="sm">
          <Text size="sm" fw={600}>
            {t('{count, plural, one {# selected} other {# selected}}', { count })}
          </Text>
          {children}
          <Button
            variant="default"
            size="xs"
            loading={isBusy}
            onClick={() => void save({ [by]: [...selection.keys].join() })}
          >
            {t('CSV of the selected')}
          </Button>
          <Button variant="subtle" size="xs" onClick={selection.clear}>
            {t('Select none')}
          </Button>
        </Group>
      )}
    </div>
  )
}
