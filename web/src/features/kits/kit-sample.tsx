import type { components } from '@kitlane/client'
import { useRead } from '../../api/hooks.ts'
import { Facts } from '../../components/facts.tsx'
import { dayOf } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'

type Said = components['schemas']['KitCollection']
type Question = Said['questions'][number]

const givers = { person: t('the person tested'), business: t('the business'), operator: t('the operator') } as const

const known: Readonly<Record<string, string>> = {
  fasting: t('Fasting'),
  cyclePhase: t('Phase of the cycle'),
  cycleDay: t('Day of the cycle'),
  pregnant: t('Pregnant'),
  medication: t('Medication'),
  timeOfLastDose: t('Last dose'),
}

/** What a question is called here. */
export const questionName = ({ id, text }: Pick<Question, 'id' | 'text'>): string => known[id] ?? text?.en ?? id

const words: Readonly<Record<string, string>> = {
  yes: t('yes'),
  no: t('no'),
  none: t('none'),
  biotin: t('biotin'),
  hormones: t('hormones'),
  thyroidHormones: t('thyroid hormones'),
  statins: t('statins'),
  follicular: t('follicular phase'),
  ovulation: t('ovulation'),
  luteal: t('luteal phase'),
  postmenopausal: t('after menopause'),
}

function answerText(question: Question, answer: string | number | string[] | undefined): string | undefined {
  if (answer === undefined) return undefined
  const { id, choices = [] } = question
  if (id === 'fasting' && typeof answer === 'number') return t('{hours} h without food', { hours: answer })
  const say = (one: string) => choices.find((choice) => choice.id === one)?.text.en ?? words[one] ?? one
  return Array.isArray(answer) ? answer.map(say).join(', ') : say(String(answer))
}

function SaidFacts({ said }: { said: Said | undefined }) {
  const { collectedDate, zone, givenBy, answers, questions = [] } = said ?? {}
  if (!collectedDate || !givenBy) return null
  const [day = '', time] = collectedDate.split('T')
  return (
    <Facts
      title={t('Sample, as it was said')}
      facts={[
        [t('Taken'), [dayOf(day), time].filter(Boolean).join(', ')],
        [t('Time zone'), zone],
        [t('Said by'), givers[givenBy]],
        ...questions.map((one): [string, string | undefined] => [
          questionName(one),
          answerText(one, answers?.[one.id]),
        ]),
      ]}
    />
  )
}

/** On the page of a kit: what its person says of the sample. */
export function KitSample({ kitID }: { kitID: string }) {
  return <SaidFacts said={useRead('/api/v1/kits/{kitID}/collection', { params: { path: { kitID } } }).data} />
}

/** The same for the laboratory. */
export function OperatorKitSample({ kitID }: { kitID: string }) {
  return <SaidFacts said={useRead('/operator/v1/kits/{kitID}/collection', { params: { path: { kitID } } }).data} />
}
