import { t } from '../../../language/t.ts'
import css from './numbers.module.css'
import { Part } from './part.tsx'
import { countOf, percentOf, type Rejections } from './shown.ts'

interface RejectionsPartProps {
  rejections: Rejections
  path: string
  filters: Record<string, string>
}

/** How many samples were rejected, and the reasons as bars with their numbers. */
export function RejectionsPart({ rejections, path, filters }: RejectionsPartProps) {
  const { received, rejected, share, reasons } = rejections
  const sentence =
    received === 0
      ? t('No sample has come to the laboratory yet.')
      : t('{rejected} of {received} received samples were rejected: {percent}.', {
          rejected: countOf(rejected),
          received: countOf(received),
          percent: percentOf(share ?? 0),
        })
  return (
    <Part title={t('Rejected samples')} sentence={sentence} csv={path} filters={filters}>
      {reasons.map(({ reason, kits, share }) => (
        <div key={reason ?? ''} className={`${css.row} ${css.leg}`}>
          <span>{reason ?? t('Other, or not said')}</span>
          <div className={css.track} aria-hidden="true">
            <div className={css.bar} style={{ width: `${(kits / rejected) * 100}%` }} />
          </div>
          <span className={css.value}>
            <strong>{countOf(kits)}</strong>
            <span>{t('{percent} of samples', { percent: percentOf(share) })}</span>
          </span>
        </div>
      ))}
    </Part>
  )
}
