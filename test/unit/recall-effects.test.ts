import { parseHl7 } from '@kitlane/lab-reader/parse/hl7/report'
import { describe, expect, it } from 'vitest'
import { kitStatuses, reportStatuses, sampleStatuses } from '../../src/modules/kits/lifecycle.ts'
import {
  actions,
  effectOf,
  type Stage,
  type StageFacts,
  stageOf,
  stages,
  usualActions,
} from '../../src/modules/recalls/decision.ts'

const usual = (stage: Stage) => effectOf(stage, usualActions.componentLot)

describe('what a recall does with a kit', () => {
  it('follows from where the kit is, whatever its three statuses say', () => {
    const of = (statuses: Omit<StageFacts, 'nowhere' | 'isRead' | 'hasLeft'>, isRead = false) =>
      ([null, 'closed'] as const).map((nowhere) => stageOf({ ...statuses, nowhere, isRead, hasLeft: false }))
    const found = new Set(
      kitStatuses.flatMap((kitStatus) =>
        sampleStatuses.flatMap((sampleStatus) =>
          reportStatuses.flatMap((status) => of({ kitStatus, sampleStatus, status })),
        ),
      ),
    )
    expect([...found].sort()).toEqual([...stages].sort())
    expect(of({ kitStatus: 'deliveryException', sampleStatus: 'awaitingCollection', status: 'notStarted' })).toEqual([
      'withRecipient',
      'undelivered',
    ])
    const waits = { kitStatus: 'collected', sampleStatus: 'partiallyResulted', status: 'inReview' } as const
    expect(of(waits)).toEqual(['inReview', 'inReview'])
    expect(of(waits, true), 'behind a version that can be read').toEqual(['published', 'published'])
  })

  it('sends no kit to who has results, unless that is asked for, and only tells people where it is over', () => {
    expect(usual('undelivered')).toEqual({ stands: 'stopped', isReplaced: false })
    expect(effectOf('undelivered', actions, { isAwaited: true })).toEqual({ stands: 'stopped', isReplaced: true })
    expect(usual('withRecipient')).toEqual({ stands: 'stopped', isReplaced: true, letter: 'box' })
    expect(usual('sampleUnderWay')).toEqual({ stands: 'stopped', isReplaced: true, letter: 'sample' })
    expect(usual('atLaboratory')).toEqual({ isRejected: true, isReplaced: true, letter: 'sample' })
    expect(usual('published')).toEqual({ stands: 'marked', isReplaced: false, letter: 'result' })
    expect(effectOf('published', actions).isReplaced).toBe(true)
    expect(effectOf('published', ['tell'])).toEqual({ isReplaced: false, letter: 'result' })
    expect(effectOf('notPacked', actions)).toEqual({})
    expect([effectOf('settled', actions), effectOf('settled', ['markResults'])]).toEqual([{ letter: 'used' }, {}])
  })

  it('of a run or a reagent is about results alone, and writes to nobody where that is not asked for', () => {
    for (const stage of ['withRecipient', 'registered', 'sampleUnderWay', 'atLaboratory'] as const)
      expect(effectOf(stage, usualActions.run)).toEqual({})
    expect(effectOf('inReview', ['holdReports'])).toEqual({ stands: 'held', isReplaced: false })
  })

  it('tells somebody who reads an earlier version that it may be wrong, and not that the results are held back', () => {
    const letterAt = (stage: Stage) =>
      effectOf(stage, ['holdReports', 'tell'], { isRead: stage === 'published' }).letter
    expect([letterAt('inReview'), letterAt('published')]).toEqual(['held', 'result'])
  })

  it('marks the version that can be read while a later one is held, and says so', () => {
    const doneWith = (isRead: boolean) => effectOf('published', usualActions.run, { isRead })
    expect([doneWith(false), doneWith(true)]).toMatchObject([{ stands: 'marked' }, { stands: 'marked', isHeld: true }])
    expect(doneWith(false).isHeld).toBeUndefined()
  })
})

const message = (lines: readonly string[]) =>
  parseHl7(
    new TextEncoder().encode(
      ['MSH|^~\\&|LIS|North Lab|||20261128||OUL^R22^OUL_R22|1|P|2.5.1', 'PID|1||1', 'SPM|1|K1', ...lines].join('\r'),
    ),
  ).reports.flatMap(({ measuredWith = [] }) => measuredWith)

describe('what a laboratory measured with', () => {
  const obx = 'OBX|1|NM|2345-7^Glucose^LN||88|mg/dL|||||F|||||||COBAS-7^NORTH|20261127143000'

  it('is the lot of a reagent below its result, and the instrument on its day as the run', () => {
    expect(message(['OBR|1', obx, 'SID|GLUC3^Glucose reagent|R4711||Roche'])).toEqual([
      { kind: 'run', subject: 'North Lab', lot: 'COBAS-7 2026-11-27', results: ['Glucose'] },
      { kind: 'reagentLot', subject: 'Glucose reagent', lot: 'R4711', results: ['Glucose'] },
    ])
    const inventory = `INV|GLUC3${'|'.repeat(15)}R4712`
    expect(message(['OBR|1', obx, inventory])).toContainEqual(
      expect.objectContaining({ kind: 'reagentLot', subject: 'GLUC3', lot: 'R4712' }),
    )
  })

  it('is nothing where the message names nothing, and one lot of many results is one', () => {
    expect(message(['OBR|1', 'OBX|1|NM|2345-7^Glucose^LN||88|mg/dL|||||F'])).toEqual([])
    const other = obx.replace('OBX|1', 'OBX|2').replace('2345-7^Glucose', '2160-0^Creatinine')
    expect(message(['OBR|1', obx, 'SID|X^X|R1', other, 'SID|X^X|R1'])).toEqual([
      expect.objectContaining({ kind: 'run', results: ['Glucose', 'Creatinine'] }),
      expect.objectContaining({ kind: 'reagentLot', results: ['Glucose', 'Creatinine'] }),
    ])
  })
})
