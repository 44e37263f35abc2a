import { Stack, Text } from '@mantine/core'
import type { Overview } from '../../api/shapes.ts'
import { eventLabel, stages } from '../kits/labels.ts'
import css from './overview.module.css'

/** The number of kits at each stage, as bars; problem stages only if they have kits. */
export function KitsByStage({ kits }: { kits: Overview['kits'] }) {
  const isStage = (stage: string) => stages.some(({ type }) => type === stage)
  const shown = kits.filter(({ stage, count }) => count > 0 || isStage(stage))
  const most = Math.max(1, ...kits.map(({ count }) => count))
  return (
    <Stack gap={6}>
      {shown.map(({ stage, count }) => (
        <div key={stage} className={css.row}>
          <Text size="sm">{stage === 'reportReady' ? 'Report in review or published' : eventLabel(stage)}</Text>
          <div className={css.track}>
            {count > 0 && <div className={css.bar} style={{ width: `${(count / most) * 100}%` }} />}
          </div>
          <Text size="sm" className={css.count} c={count === 0 ? 'dimmed' : undefined}>
            {count.toLocaleString('en')}
          </Text>
        </div>
      ))}
    </Stack>
  )
}
