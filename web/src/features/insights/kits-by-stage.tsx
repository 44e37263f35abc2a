import { Stack, Text } from '@mantine/core'
import type { Overview } from '../../api/shapes.ts'
import { locale, t } from '../../language/t.ts'
import { eventLabel } from '../kits/labels.ts'
import css from './overview.module.css'

/** The number of kits at each stage that has any, as bars. */
export function KitsByStage({ kits }: { kits: Overview['kits'] }) {
  const shown = kits.filter(({ count }) => count > 0)
  const most = Math.max(1, ...kits.map(({ count }) => count))
  return (
    <Stack gap={6}>
      {shown.map(({ stage, count }) => (
        <div key={stage} className={css.row}>
          <Text size="sm">{stage === 'reportReady' ? t('Report in review or published') : eventLabel(stage)}</Text>
          <div className={css.track}>
            <div className={css.bar} style={{ width: `${(count / most) * 100}%` }} />
          </div>
          <Text size="sm" className={css.count}>
            {count.toLocaleString(locale())}
          </Text>
        </div>
      ))}
    </Stack>
  )
}
