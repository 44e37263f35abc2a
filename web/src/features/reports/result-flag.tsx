import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'

const words: Record<string, string> = {
  LL: t('critically low'),
  HH: t('critically high'),
  AA: t('critically abnormal'),
  L: t('low'),
  H: t('high'),
  A: t('abnormal'),
  N: t('normal'),
}

/** The laboratory's flag in words, marked if it is critical. */
export function ResultFlag({ flag, critical }: { flag: string; critical: boolean }) {
  const label = flag && [flag, words[flag]].filter(Boolean).join(', ')
  if (critical)
    return <StatusDot tone="bad">{label ? t('Critical: {said}', { said: label }) : t('Critical')}</StatusDot>
  return label || t('None')
}
