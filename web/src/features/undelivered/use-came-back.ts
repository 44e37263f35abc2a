import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { clientOf } from '../../api/client.ts'
import { useWrite } from '../../api/hooks.ts'
import { asProblem } from '../../api/problem.ts'
import { carrierOf, codeOf, isTrackingNumber } from '../../components/station/codes.ts'
import type { ScanFeedback } from '../../components/station/scan-feedback.tsx'
import { play } from '../../components/station/sound.ts'
import { t } from '../../language/t.ts'
import type { Box } from './labels.ts'

/** What a person at the station can say of a box in their hands. */
export type Found = 'returnedToSender' | 'refused' | 'damaged'

// New for each page load, as at the pack station.
const station = crypto.randomUUID()
const FIRST: ScanFeedback = { kind: 'plain', sentence: t('Scan the box, or the label that it came back with.') }

const isInHand = (outcome: Box['outcome']): outcome is Found =>
  outcome === 'returnedToSender' || outcome === 'refused' || outcome === 'damaged'

/** The state of the station for boxes that came back: a scan reports a box; one that goes out again gets a new label. */
export function useCameBack(outcome: Found, carrier: string) {
  const cache = useQueryClient()
  const report = useWrite('post', '/operator/v1/undelivered')
  const claim = useWrite('post', '/operator/v1/fulfilment/claims')
  const ship = useWrite('post', '/operator/v1/fulfilment/shipments')
  const [boxes, setBoxes] = useState<readonly Box[]>([])
  const [feedback, say] = useState<ScanFeedback>(FIRST)
  const [isBusy, setBusy] = useState(false)
  /** What was scanned of a kit that somebody has registered: a person says that its box is here. */
  const [asked, setAsked] = useState<{ code: string; kitID: string }>()
  const ready = boxes.filter(({ state }) => state === 'readyToSend')
  const [next] = ready

  const wrong = (sentence: string) => {
    play('wrong')
    say({ kind: 'wrong', sentence })
  }
  const during = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      wrong(asProblem(error).message)
    }
    setBusy(false)
  }

  async function take(code: string, { isConfirmed = false, note = '' } = {}): Promise<void> {
    const { data } = await cache.fetchQuery({
      queryKey: ['', 'scan', code],
      staleTime: 0,
      queryFn: () => clientOf().GET('/operator/v1/fulfilment/kits/{code}', { params: { path: { code } } }),
    })
    if (!data) return
    const known = data.undelivered
    const kitIDs = [data.kit.kitID, ...data.others]
    // Whoever scans a box again only asks what to do with it.
    const isKnown = known?.isHere === true && isInHand(known.outcome)
    const { kitID, registrationDate } = data.kit
    if (registrationDate !== undefined && !isKnown && !isConfirmed) {
      setAsked({ code, kitID })
      play('caution')
      const question = t(
        '{kitID}: somebody has registered this kit, so it reached a person. Enter books it as come back, Esc cancels.',
        { kitID },
      )
      return say({ kind: 'caution', sentence: `${note} ${question}`.trim() })
    }
    const found = await report.mutateAsync({ body: { kitIDs, outcome: isKnown ? known.outcome : outcome } })
    setBoxes(found.data)
    const [first] = found.data.toSorted((a, b) => Number(b.state === 'readyToSend') - Number(a.state === 'readyToSend'))
    if (!first) return
    if (first.state !== 'readyToSend') {
      play('done')
      return say({ kind: note ? 'caution' : 'right', sentence: `${note} ${first.kitID}: ${first.todo}`.trim() })
    }
    // Nobody corrects the address while the label is printed.
    await claim.mutateAsync({ body: { station, kitID: first.kitID } })
    play('right')
    say({ kind: 'right', sentence: t('{kitID}: put a new label on it, and scan it.', { kitID: first.kitID }) })
  }

  async function send(label: string): Promise<void> {
    const of = carrierOf(label) ?? carrier
    for (const { kitID } of ready) {
      await ship.mutateAsync({ body: { kitID, carrier: of, outboundTrackingNumber: label } })
    }
    play('done')
    say({ kind: 'right', sentence: t('{kitID} is sent again.', { kitID: ready.map(({ kitID }) => kitID).join(', ') }) })
    setBoxes([])
  }

  return {
    feedback,
    isBusy,
    /** The box that gets a new label now. */
    next,
    scan(text: string) {
      if (isBusy) return wrong(t('Still saving. Scan it again.'))
      const code = codeOf(text)
      if (asked) {
        setAsked(undefined)
        if (code === '') return void during(() => take(asked.code, { isConfirmed: true }))
        // The next box is in the hand already: it is the answer no.
        return void during(() => take(code, { note: t('{kitID} was not booked.', { kitID: asked.kitID }) }))
      }
      if (code === '') return
      if (!next) return void during(() => take(code))
      if (!isTrackingNumber(code)) return wrong(t('That is not a tracking number. Scan the new label, or press Esc.'))
      void during(() => send(code))
    },
    leave() {
      setAsked(undefined)
      setBoxes([])
      say(FIRST)
    },
  }
}
