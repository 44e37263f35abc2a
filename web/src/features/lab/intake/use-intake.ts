import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { clientOf } from '../../../api/client.ts'
import { useWrite } from '../../../api/hooks.ts'
import { asProblem } from '../../../api/problem.ts'
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
}

type Choice = (typeof reasons)[number]

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

  async function look(code: string): Promise<void> {
    const { data } = await cache.fetchQuery({
      queryKey: ['', 'scan', code],
      staleTime: 0,
      queryFn: () => clientOf().GET('/operator/v1/fulfilment/kits/{code}', { params: { path: { code } } }),
    })
    if (!data) return
    const { kit, business, caution } = data
    const { kitID, kitType, sampleStatus } = kit
    const sample: Sample = { kitID, kitType, business: business.name, caution, state: 'scanned' }
    if (data.question) {
      setAsked(sample)
      play('caution')
      return say({
        kind: 'caution',
        sentence: [data.question, t('Enter receives it, Esc cancels.')].join(' '),
      })
    }
    if (data.expected !== 'intake') {
      // It came earlier: it can still be rejected, or its rejection undone.
      if (sampleStatus === 'received' || sampleStatus === 'rejected') {
        keep({ ...sample, state: sampleStatus })
      }
      return wrong(data.sentence)
    }
    return begin(sample)
  }

  async function begin(sample: Sample): Promise<void> {
    if (!withAccession) return take(sample)
    setOpen(sample)
    play('right')
    say({ kind: 'right', sentence: t("{kitID}: scan the laboratory's number.", { kitID: sample.kitID }) })
  }

  async function take(sample: Sample, accession?: string): Promise<void> {
    await receive.mutateAsync({ body: { kitID: sample.kitID, accession, confirm: sample.isConfirmed === true } })
    keep({ ...sample, accession, state: 'received' })
    setOpen(undefined)
    play(sample.caution ? 'caution' : 'done')
    const sentence = [t('{kitID} is received.', { kitID: sample.kitID }), sample.caution].filter(Boolean).join(' ')
    say({ kind: sample.caution ? 'caution' : 'right', sentence })
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
    last,
    open,
    isBusy,
    scan(text: string) {
      if (isBusy) return wrong(t('Still saving. Scan it again.'))
      const code = codeOf(text)
      if (asked) {
        setAsked(undefined)
        if (code === '') return void during(() => begin({ ...asked, isConfirmed: true }))
        return wrong(
          t('{kitID} was not received. Press Enter without scanning to receive it, or scan the next sample.', {
            kitID: asked.kitID,
          }),
        )
      }
      if (choice && last) {
        setChoice(undefined)
        if (code === '') return void during(() => refuse(last, choice))
        return wrong(
          t('Nothing was rejected. Press Enter without scanning to reject {kitID}, or scan the next sample.', {
            kitID: last.kitID,
          }),
        )
      }
      if (code === '') return
      const reason = open ? undefined : reasonOf(code)
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
