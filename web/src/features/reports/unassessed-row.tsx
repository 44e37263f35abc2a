import { Text } from '@mantine/core'
import { said, t } from '../../language/t.ts'
import type { Unassessed } from './harm.ts'
import css from './report.module.css'
import { ResultFlag } from './result-flag.tsx'

/** What was received and not judged, with the reason. */
export function UnassessedRow({ result }: { result: Unassessed }) {
  const { name, value, unit, range, flag, reason, critical } = result
  return (
    <div className={css.line}>
      <span>{name || t('No name')}</span>
      <span className={css.value}>
        {value || t('no value')} <span className={css.unit}>{unit}</span>
      </span>
      <span />
      <span>{critical || flag ? <ResultFlag flag={flag} critical={critical} /> : null}</span>
      <Text size="sm" c="dimmed" component="div" className={css.wide}>
        {[range && t('Range {range}', { range }), reason ? said(reason) : t('The value could not be assessed.')]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </div>
  )
}
