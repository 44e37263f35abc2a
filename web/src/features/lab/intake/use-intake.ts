import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { clientOf } from '../../../api/client.ts'
import { useWrite } from '../../../api/hooks.ts'
import { asProblem } from '../../../api/problem.ts'
import { dayOf } from '../../../components/relative-date.tsx'
import { codeOf } from '../../../components/station/codes.ts'
import type { ScanFeedback } from '../../../components/station/scan-feedback.tsx'
import { play } from '../../../components/station/sound.ts'
import { t } from '../../../language/t.ts'
import { reasonOf, type reasons } from './rejection-reasons.ts'

export interface Sample {
  kitID: string
  business: string
  kitType: string
  state: 'scanned' | 'received' | 'rejected'
  accession?: string
  /** A warning about a sample that was received. */
  caution?: string | undefined
  reason?: string
  /** A person has looked: there is a sample in a box that is said to have reached nobody. */
  isConfirmed?: boolean
  /** What did not happen, because this sample was scanned before it. */
  note?: string
}

type Choice = (typeof reasons)[number]

const joined = (...sentences: readonly (string | undefined)[]) => sentences.filter(Boolean).join(' ')

const INITIAL: ScanFeedback = { kind: 'plain', sentence: t("Scan the kit's code or the return label.") }
const MAX_SCANS = 50

/** The state of the intake station. With `withAccession` the laboratory's number is scanned after each kit. */
export function useIntake(withAccession: boolean) {
  const cache = useQueryClient()
  const receive = useWrite('post', '/operator/v1/samples/receive')
  const reject = useWrite('post', '/operator/v1/samples/reject')
  const [samples, setSamples] = useState<readonly Sample[]>([])
  const [open, setOpen] = useState<Sample>()
  const [asked, setAsked] = useState<Sample>()
  const [choice, setChoice] = useState<Choice>()
  const [feedback, say] = useState<ScanFeedback>(INITIAL)
  const [isBusy, setBusy] = useState(false)

  const wrong = (sentence: string) => {
    play('wrong')
    say({ kind: 'wrong', sentence })
  }
  const keep = (sample: Sample) =>
    setSamples((before) => [sample, ...before.filter(({ kitID }) => kitID !== sample.kitID)].slice(0, MAX_SCANS))
  const during = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      wrong(asProblem(error).message)
    }
    setBusy(false)
  }

  const found = async (code: string) =>
    (
      await cache.fetchQuery({
        queryKey: ['', 'scan', code],
        staleTime: 0,
        queryFn: () => clientOf().GET('/operator/v1/fulfilment/kits/{code}', { params: { path: { code } } }),
      })
    ).data

  async function look(code: string, note?: string): Promise<void> {
    const data = await found(code)
    if (!data) return
    const { kit, business, caution } = data
    const { kitID, kitType, sampleStatus } = kit
    const sample: Sample = { kitID, kitType, business: business.name, caution, state: 'scanned', ...(note && { note }) }
    if (data.question) {
      setAsked(sample)
      play('caution')
      return say({
        kind: 'caution',
        sentence: joined(note, `${kitID}: ${data.question}`, t('Enter receives it, Esc cancels.')),
      })
    }
    if (data.expected !== 'intake') {
      // It came earlier: it can still be rejected, or its rejection undone.
      if (sampleStatus === 'received' || sampleStatus === 'rejected') {
        keep({ ...sample, state: sampleStatus })
      }
      return wrong(joined(note, data.sentence))
    }
    return begin(sample)
  }

  async function begin(sample: Sample): Promise<void> {
    if (!withAccession) return take(sample)
    setOpen(sample)
    const { kitID, note } = sample
    play(note ? 'caution' : 'right')
    say({
      kind: note ? 'caution' : 'right',
      sentence: joined(note, t("{kitID}: scan the laboratory's number.", { kitID })),
    })
  }

  async function take({ note, ...sample }: Sample, accession?: string): Promise<void> {
    const { kitID, caution, isConfirmed } = sample
    await receive.mutateAsync({ body: { kitID, accession, confirm: isConfirmed === true } })
    keep({ ...sample, accession, state: 'received' })
    setOpen(undefined)
    // It is received already: whether it is on hold can be seen on its page, too.
    const hold = (await found(kitID).catch(() => undefined))?.hold
    const date = hold?.state === 'open' && dayOf(hold.discardAt)
    const apart = date ? t('It is on hold: keep it apart. It can be tested until {date}.', { date }) : undefined
    const isOdd = [caution, note, apart].some(Boolean)
    play(isOdd ? 'caution' : 'done')
    say({
      kind: isOdd ? 'caution' : 'right',
      sentence: joined(note, t('{kitID} is received.', { kitID }), caution, apart),
    })
  }

  async function refuse({ kitID }: Sample, [reason, words]: Choice): Promise<void> {
    await reject.mutateAsync({ body: { kitID, reason } })
    setSamples((before) =>
      before.map((one) => (one.kitID === kitID ? { ...one, state: 'rejected', reason: words } : one)),
    )
    play('done')
    say({
      kind: 'plain',
      sentence: t('{kitID} is rejected: {reason}.', { kitID, reason: words.toLowerCase() }),
    })
  }

  const last = samples.find(({ state }) => state === 'received')
  const choose = (next: Choice) => {
    if (!last || open) return wrong(t('There is no sample to reject. Receive one first.'))
    setChoice(next)
    say({
      kind: 'plain',
      sentence: t('Reject {kitID}: {reason}? Enter rejects it, Esc cancels.', {
        kitID: last.kitID,
        reason: next[1].toLowerCase(),
      }),
    })
  }

  return {
    feedback,
    samples,
    /** Of which something may be wrong, unless a question about another one waits. */
    last: asked ? undefined : last,
    open,
    isBusy,
    scan(text: string) {
      if (isBusy) return wrong(t('Still saving. Scan it again.'))
      const code = codeOf(text)
      const reason = open ? undefined : reasonOf(code)
      if (asked) {
        // The next sample is in the packer's hand already: it is the answer no.
        if (reason)
          return wrong(t('{kitID} is not received yet. Enter receives it, Esc cancels.', { kitID: asked.kitID }))
        setAsked(undefined)
        if (code === '') return void during(() => begin({ ...asked, isConfirmed: true }))
        return void during(() => look(code, t('{kitID} was not received.', { kitID: asked.kitID })))
      }
      if (choice && last && !reason) {
        setChoice(undefined)
        if (code === '') return void during(() => refuse(last, choice))
        return void during(() => look(code, t('{kitID} was not rejected.', { kitID: last.kitID })))
      }
      if (code === '') return
      if (reason) return choose(reason)
      void during(() => (open ? take(open, text.trim()) : look(code)))
    },
    choose,
    undone(kitID: string) {
      setSamples((before) => before.map((one) => (one.kitID === kitID ? { ...one, state: 'received' } : one)))
    },
    leave() {
      setChoice(undefined)
      setAsked(undefined)
      setOpen(undefined)
      say(INITIAL)
    },
  }
}
