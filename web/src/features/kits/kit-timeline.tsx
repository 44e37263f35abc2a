import { Text } from '@mantine/core'
import type { KitDetail } from '../../api/shapes.ts'
import { exactOf, RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'
import css from './timeline.module.css'
import { stepsOf, type TimelineStep } from './timeline.ts'

/** The stages of a kit as a vertical line: what happened, who reported it, what is late, what to do. */
export function KitTimeline({ detail }: { detail: KitDetail }) {
  return (
    <ol className={css.line} aria-label={t('Timeline')}>
      {stepsOf(detail).map((step) => (
        <Step key={`${step.event} ${step.at ?? ''}`} step={step} />
      ))}
    </ol>
  )
}

const spoken: Record<TimelineStep['state'], string> = {
  done: t('done'),
  current: t('it is here now'),
  late: t('late'),
  trouble: t('needs attention'),
  open: t('not yet'),
}

function Step({ step }: { step: TimelineStep }) {
  const { label, state, at, by, reason, hint } = step
  return (
    <li className={css.step} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
      <span className={css.dot} role="img" aria-label={spoken[state]} />
      <div className={css.body}>
        <Text fw={state === 'open' ? 400 : 600} c={state === 'open' ? 'dimmed' : undefined}>
          {label}
        </Text>
        {at && (
          <Text size="sm" c="dimmed">
            <RelativeDate value={at} />
            {at.length > 10 && <span className={css.exact}> · {exactOf(at)}</span>}
            {by && ` · ${by}`}
          </Text>
        )}
        {reason && <Text size="sm">{reason}</Text>}
        {hint && (
          <Text size="sm" className={css.hint}>
            {hint}
          </Text>
        )}
      </div>
    </li>
  )
}
