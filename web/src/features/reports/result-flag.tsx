import { StatusDot } from '../../components/status-dot.tsx'

const words: Record<string, string> = {
  LL: 'critically low',
  HH: 'critically high',
  AA: 'critically abnormal',
  L: 'low',
  H: 'high',
  A: 'abnormal',
  N: 'normal',
}

/** The laboratory's flag in words, marked if it is critical. */
export function ResultFlag({ flag, critical }: { flag: string; critical: boolean }) {
  const said = flag && [flag, words[flag]].filter(Boolean).join(', ')
  if (critical) return <StatusDot tone="bad">{said ? `Critical: ${said}` : 'Critical'}</StatusDot>
  return said || 'None'
}
