import { Group, Skeleton, Tooltip } from '@mantine/core'
import type { Kit } from '../../api/shapes.ts'
import { dayOf } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'
import { personOf, standingOf, stepLabel } from './kit-standing.ts'
import { stages } from './labels.ts'
import css from './stages.module.css'

/** The progress of a kit, as a line of its stages. It ends with the report, or with a rejected sample. */
export function StageDots({ kit }: { kit: Kit | undefined }) {
  if (kit === undefined) return <Skeleton height={8} />
  const person = personOf(kit)
  const isMissing = (type: string) => type === 'kitRegistered' && person === 'none'
  const dates = new Map(kit.progress.map(({ type, date }) => [type, isMissing(type) ? undefined : date]))
  const isRejected = dates.get('sampleRejected') !== undefined
  const shown = stages.filter(({ type }) => type !== (isRejected ? 'reportReady' : 'sampleRejected'))
  const done = shown.filter(({ type }) => dates.get(type) !== undefined)
  const { tone, label } = standingOf(kit)
  return (
    <Group
      gap={3}
      wrap="nowrap"
      role="img"
      aria-label={t('{label}: {done, number} of {total, number} steps done', {
        label,
        done: done.length,
        total: shown.length,
      })}
    >
      {shown.map(({ type, label: toCome }) => {
        const date = dates.get(type)
        const name = date ? stepLabel(type, { report: kit.status, person }).label : toCome
        return (
          <Tooltip key={type} label={date ? `${name}, ${dayOf(date)}` : t('{name}: not yet', { name })}>
            <span className={css.dash} data-tone={date ? (tone === 'bad' ? 'bad' : 'good') : 'open'} />
          </Tooltip>
        )
      })}
    </Group>
  )
}
