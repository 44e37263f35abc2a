import { Icon } from '../icon.tsx'
import css from './station.module.css'

export interface ScanFeedback {
  kind: 'right' | 'caution' | 'wrong' | 'plain'
  sentence: string
}

const icons = { right: 'check', caution: 'warning', wrong: 'warning', plain: 'scan' } as const

/** What the last scan meant, large enough to read from two metres; announced to screen readers. */
export function ScanFeedbackPanel({ feedback }: { feedback: ScanFeedback }) {
  return (
    <div className={css.feedback} data-kind={feedback.kind} role={feedback.kind === 'wrong' ? 'alert' : 'status'}>
      <Icon name={icons[feedback.kind]} size={28} />
      <span>{feedback.sentence}</span>
    </div>
  )
}
