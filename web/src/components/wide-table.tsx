import { Table, type TableProps } from '@mantine/core'
import { t } from '../language/t.ts'

interface WideTableProps extends TableProps {
  /** What the rows are, for screen readers. */
  label: string
}

/** A small table of facts. In a narrow window it scrolls sideways in its own box, by keyboard too. */
export function WideTable({ label, ...table }: WideTableProps) {
  return (
    <Table.ScrollContainer
      minWidth={0}
      type="native"
      tabIndex={0}
      role="region"
      aria-label={t('{label}, scrolls sideways', { label })}
    >
      <Table aria-label={label} {...table} />
    </Table.ScrollContainer>
  )
}
