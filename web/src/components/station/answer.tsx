import { Icon } from '../icon.tsx'
import css from './station.module.css'

export interface Answer {
  kind: 'right' | 'caution' | 'wrong' | 'plain'
  sentence: string
}

const icons = { right: 'check', caution: 'warning', wrong: 'warning', plain: 'scan' } as const

/** What the last scan meant, to be read from two metres; screen readers hear it too. */
export function AnswerPanel({ answer }: { answer: Answer }) {
  return (
    <div className={css.answer} data-kind={answer.kind} role={answer.kind === 'wrong' ? 'alert' : 'status'}>
      <Icon name={icons[answer.kind]} size={28} />
      <span>{answer.sentence}</span>
    </div>
  )
}
