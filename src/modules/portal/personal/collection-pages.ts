import { normalizeId } from '@kitlane/display/short-id'
import { latinDigits } from '@kitlane/display/text'
import { z } from 'zod'
import type { Tx } from '../../../platform/database/tx.ts'
import type { Page, PageAnswer, PageRequest } from '../../../platform/http/pages.ts'
import * as audit from '../../audit/service.ts'
import type { PanelQuestion } from '../../catalogue/question-schema.ts'
import type { CollectionRow } from '../../collection/queries.ts'
import { type Answers, answerProblems, isFasting, medicines, numberIn } from '../../collection/questions.ts'
import { doseBounds, give, maybeFind, problemOfTime, questionsOf, whyNot } from '../../collection/service.ts'
import { type GivenTime, isZone, offsetsOf, type TimeProblem, zoneNamed, zonesOf } from '../../collection/time.ts'
import type { KitRow } from '../../kits/queries.ts'
import type { RegisterInput } from '../../kits/schema.ts'
import type { Paper } from '../paper.ts'
import { maybeFindOwnKit } from '../registration/consent.ts'
import { readDate } from '../registration/form.ts'
import { closedPage, collectionPage, fieldOf } from '../view/collection.ts'
import { missing, personal } from './reader.ts'

type Typed = Readonly<Record<string, string>>
const PATH = '/r/kits/:kitID/collection'

/** What stands, as the form has it. */
function typedOf(row: CollectionRow | undefined): Typed {
  if (!row) return {}
  const [year = '', month = '', day = ''] = row.collectedDate.slice(0, 10).split('-')
  const answered = Object.entries(row.answers).flatMap(([id, answer]): [string, string][] => {
    const name = fieldOf(id)
    if (id === 'fasting' && typeof answer === 'number')
      return [
        [name, isFasting(answer) ? 'yes' : 'no'],
        [`${name}_hours`, String(answer)],
      ]
    if (id === 'timeOfLastDose')
      return [
        [name, String(answer).slice(0, 10)],
        [`${name}_time`, String(answer).slice(11)],
      ]
    if (!Array.isArray(answer)) return [[name, String(answer)]]
    const isCode = (one: string) => (medicines as readonly string[]).includes(one)
    const codes = answer.filter(isCode).map((one): [string, string] => [`${name}_${one}`, 'yes'])
    return [...codes, [`${name}_other`, answer.filter((one) => !isCode(one)).join(', ')]]
  })
  return {
    ...{ day: String(Number(day)), month, year, zone: row.zone ?? '', time: row.collectedDate.slice(11) },
    ...(row.offset && { offset: row.offset }),
    ...Object.fromEntries(answered),
  }
}

/** What is no answer. */
const CONTRADICTION = 'contradiction'

/** Hours that stood in the form give way to yes or no; others may contradict it. */
function fastingOf(choice: string, hours: number | string, before: Answers[string] | undefined) {
  if (hours === '' || choice === '' || typeof hours === 'string') return hours === '' ? choice : hours
  if (isFasting(hours) === isFasting(choice)) return hours
  return hours === before ? choice : CONTRADICTION
}

/** The answers in a form; what is no number stays as it was typed, and is refused. */
function answersOf(questions: readonly PanelQuestion[], typed: Typed, before: Answers = {}): Answers {
  const numbered = (text: string) => numberIn(text) ?? text
  return Object.fromEntries(
    questions.flatMap(({ id, type }): [string, Answers[string]][] => {
      const name = fieldOf(id)
      const text = (part = '') => latinDigits((typed[name + part] ?? '').trim())
      if (id === 'medication') {
        const others = text('_other')
          .split(/[,;、،]/)
          .map((one) => one.trim())
        const all = [...medicines.filter((one) => typed[`${name}_${one}`] === 'yes'), ...others.filter(Boolean)]
        return all.length > 0 ? [[id, all]] : []
      }
      const value = id === 'fasting' ? fastingOf(text(), numbered(text('_hours')), before.fasting) : text()
      if (id === 'timeOfLastDose' && text('_time') !== '') return [[id, `${value}T${text('_time')}`]]
      if (value === '') return []
      const isNumber = id === 'cycleDay' || type === 'number'
      return [[id, isNumber ? numbered(String(value)) : value]]
    }),
  )
}

interface Asked {
  kit: KitRow
  questions: readonly PanelQuestion[]
}

function shown(request: PageRequest, paper: Paper, { kit, questions }: Asked, filled: Filled): PageAnswer {
  const { typed, problems = new Map(), isSaved = false } = filled
  const time = timeOf(typed, paper)
  const offsets = 'given' in time ? choicesOf(time.given) : []
  const person = (kit.registration ?? {}) as Partial<RegisterInput>
  const { country, state = '', zip = '', firstName = '', lastName = '', guardian } = person
  const address = country ? { country, state, zip } : (kit.sentTo ?? undefined)
  const { zones, own = '' } = zonesOf(address, paper.t.language, typed.zone)
  const html = collectionPage({
    ...{ paper, problems, questions, zones, offsets, isSaved },
    typed: { ...typed, zone: typed.zone || own },
    ...{ kitId: kit.id, token: request.formToken(), ward: guardian && `${firstName} ${lastName}` },
  })
  return { html, status: problems.size > 0 ? 422 : 200, image: paper.logoUrl }
}

interface Filled {
  typed: Typed
  problems?: ReadonlyMap<string, string>
  isSaved?: boolean
}

const Time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)

/** The offsets between which a time is chosen that clocks showed twice. */
function choicesOf({ collectedDate, zone = '' }: GivenTime): string[] {
  const all = collectedDate.length > 10 ? offsetsOf(collectedDate, zone) : []
  return all.length > 1 ? all : []
}

/** What was typed of the time, or what is wrong with it. */
function timeOf(typed: Typed, { t }: Paper): { given: GivenTime } | { problems: Map<string, string> } {
  const problems = new Map<string, string>()
  const day = readDate(typed)
  const clock = latinDigits((typed.time ?? '').trim())
  const other = typed.otherZone ?? ''
  const zone = other === '' ? (typed.zone ?? '') : zoneNamed(other)
  if (!z.iso.date().safeParse(day).success) problems.set('dateOfBirth', t('problem.noSuchDay'))
  if (clock !== '' && !Time.safeParse(clock).success) problems.set('time', t('collection.problem.time'))
  if (!isZone(zone)) problems.set(other === '' ? 'zone' : 'otherZone', t('collection.problem.zone'))
  if (problems.size > 0) return { problems }
  const given = { collectedDate: clock ? `${day}T${clock}` : day, zone }
  const offset = choicesOf(given).find((one) => one === typed.offset)
  return { given: { ...given, ...(offset && { offset }) } }
}

const fields: Record<TimeProblem['is'], string> = {
  skipped: 'time',
  twice: 'offset',
  future: 'dateOfBirth',
  born: 'dateOfBirth',
  early: 'dateOfBirth',
  late: 'dateOfBirth',
}

async function take(request: PageRequest, tx: Tx, asked: Asked, paper: Paper): Promise<PageAnswer> {
  const { t } = paper
  const { kit, questions } = asked
  const typed = Object.fromEntries(Object.entries(request.form).map(([name, value]) => [name, value.slice(0, 600)]))
  const time = timeOf(typed, paper)
  const answers = answersOf(questions, typed, (await maybeFind(tx, kit))?.answers)
  const problems = new Map('problems' in time ? time.problems : [])
  const wrong = 'given' in time ? problemOfTime(tx, kit, time.given) : undefined
  if (wrong) problems.set(fields[wrong.is], t(`collection.problem.${wrong.is}`))
  const given = 'given' in time ? time.given : undefined
  const bounds = doseBounds(tx, kit, given ?? {})
  for (const { id, is } of answerProblems(questions, answers, given?.collectedDate, bounds))
    problems.set(fieldOf(id), t(`collection.problem.${is === 'notAsked' ? 'wrong' : is === 'late' ? 'dose' : is}`))
  if (answers.fasting === CONTRADICTION) problems.set(fieldOf('fasting'), t('collection.problem.hours'))
  if (problems.size > 0 || 'problems' in time) return shown(request, paper, asked, { typed, problems })
  await give(tx, kit.id, { ...time.given, answers }, 'person')
  return { to: `/r/kits/${kit.id}/collection?done` }
}

/** Where a person says when their sample was taken, and answers the questions of its panel. */
export const collectionPages: readonly Page[] = (['GET', 'POST'] as const).map((method) => ({
  method,
  path: PATH,
  async handler(request) {
    const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
      const kit = await maybeFindOwnKit(tx, customerId, normalizeId((request.params.kitID ?? '').slice(0, 64)))
      if (!kit) return missing(paper)
      if (whyNot(kit, 'person')) return { html: closedPage(paper, request.formToken()), image: paper.logoUrl }
      const asked = { kit, questions: await questionsOf(tx, kit) }
      if (method === 'POST') return take(request, tx, asked, paper)
      const row = await maybeFind(tx, kit)
      if (row) await audit.record(tx, [{ action: 'kit.collection_viewed', objectType: 'kit', objectId: kit.id }])
      return shown(request, paper, asked, { typed: typedOf(row), isSaved: request.query.done !== undefined })
    })
    return answer ?? { to: '/r' }
  },
}))
