import type { components } from '@kitlane/client'
import { useRead } from '../../api/hooks.ts'
import { Facts } from '../../components/facts.tsx'
import { dayOf } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'
import { CorrectSample } from './correct-sample.tsx'
import { answerWords, questionName } from './sample-words.ts'

type Said = components['schemas']['KitCollection']
type Question = Said['questions'][number]

const givers = { person: t('the person tested'), business: t('the business'), operator: t('the operator') } as const

function answerText(question: Question, answer: string | number | string[] | undefined): string | undefined {
  if (answer === undefined) return undefined
  const { id, choices = [] } = question
  if (id === 'fasting' && typeof answer === 'number') return t('{hours} h without food', { hours: answer })
  const say = (one: string) => choices.find((choice) => choice.id === one)?.text.en ?? answerWords[one] ?? one
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
  const { data } = useRead('/operator/v1/kits/{kitID}/collection', { params: { path: { kitID } } })
  return (
    <>
      <SaidFacts said={data} />
      {data && <CorrectSample key={JSON.stringify(data)} said={data} />}
    </>
  )
}
