import { isOfProduct } from '@kitlane/display/box-label'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { clientOf } from '../../api/client.ts'
import { useWrite } from '../../api/hooks.ts'
import { asProblem } from '../../api/problem.ts'
import { codeOf, isBoxCode, kitIn } from '../../components/station/codes.ts'
import type { ScanFeedback } from '../../components/station/scan-feedback.tsx'
import { play } from '../../components/station/sound.ts'
import { t } from '../../language/t.ts'
import {
  back,
  begin,
  type Known,
  type Packing,
  type Scanned,
  type Shipment,
  scan,
  scanKnown,
  shipmentOf,
  takeLabel,
} from './packing-steps.ts'
import { useClaim } from './use-claim.ts'

const promptOfStep: Record<Packing['step'], string> = {
  kit: t("Scan the kit's code."),
  outbound: t('Scan the label that goes to the recipient.'),
  return: t('Scan the return label.'),
}

const gtinsOf = (cache: QueryClient): Promise<string[]> =>
  cache.fetchQuery({
    queryKey: ['', 'gtins'],
    staleTime: 300_000,
    async queryFn() {
      const { data } = await clientOf().GET('/operator/v1/stock/products', { params: { query: { size: 250 } } })
      return data?.data.map(({ gtin }) => gtin) ?? []
    },
  })

/** What the stock knows of a code, and why a kit of this type cannot be in its box. @throws Problem */
async function knownOf(cache: QueryClient, text: string, kitType: string): Promise<Known> {
  const scanned = text.trim()
  const isSquare = isBoxCode(scanned)
  if (!isSquare) {
    const query = { serial: scanned, size: 2 }
    // No serial number is longer.
    const found =
      scanned.length > 20 ? undefined : await clientOf().GET('/operator/v1/stock/boxes', { params: { query } })
    const count = found?.data?.data.length ?? 0
    if (count > 1) return 'several'
    if (count === 0) return isOfProduct(codeOf(scanned), await gtinsOf(cache)) ? 'product' : 'none'
  }
  try {
    const params = { path: { code: scanned }, query: { kitType } }
    const { data } = await clientOf().GET('/operator/v1/stock/boxes/{code}', { params })
    return data ? { serial: data.box.serial, problem: data.problem } : 'none'
  } catch (reason) {
    const problem = asProblem(reason)
    if (problem.code !== 'BOX_NOT_FOUND') throw problem
    return { serial: scanned, problem: problem.sentence }
  }
}

/** The state of the pack station: the packer's kit, what was scanned of it, and what the last scan meant. */
export function usePacking(businessID: string | undefined, carrier: string) {
  const { kit, waiting, error, take, next, overtake, isClaiming } = useClaim(businessID)
  const cache = useQueryClient()
  const ship = useWrite('post', '/operator/v1/fulfilment/shipments')
  const unship = useWrite('delete', '/operator/v1/fulfilment/shipments/{kitID}')
  const [begun, setBegun] = useState<Packing>()
  const [skipped, setSkipped] = useState<readonly string[]>([])
  const [shipped, setShipped] = useState<readonly string[]>([])
  const [isSwitching, setSwitching] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [feedback, say] = useState<ScanFeedback>()

  const packing = begun !== undefined && begun.kitID === kit?.kitID ? begun : kit && begin(kit.kitID)
  const isBusy = ship.isPending || unship.isPending || isSwitching || isAsking

  const wrong = (sentence: string) => {
    play('wrong')
    say({ kind: 'wrong', sentence })
  }
  const right = (packed: Packing) => {
    play('right')
    setBegun(packed)
    const serial = packed.step === 'outbound' ? packed.serial : undefined
    const before = packing?.serial
    const sentence =
      serial === undefined
        ? promptOfStep[packed.step]
        : before === undefined || before === serial
          ? t('Box {serial} is scanned. Scan the label that goes to the recipient.', { serial })
          : t('Box {serial} is taken instead of {before}. Scan the label that goes to the recipient.', {
              serial,
              before,
            })
    say({ kind: 'right', sentence })
  }
  /** Each scan renews the claim. If it is lost, the packer sees why and gets the next kit. */
  const renew = (kitID: string) =>
    take({ kitID, skip: [] }).catch((reason: unknown) => {
      const problem = asProblem(reason)
      if (problem.status !== 404 && problem.status !== 409) return
      wrong(problem.sentence)
      void next(skipped)
    })
  const switchTo = async (kitID: string, after: () => void) => {
    setSwitching(true)
    try {
      if (await take({ kitID, skip: [] })) {
        setSkipped((before) => before.filter((id) => id !== kitID))
        after()
      }
    } catch (reason) {
      const stay = kit ? t('Scan {kitID}, or skip it.', { kitID: kit.kitID }) : ''
      wrong(`${kitID}: ${asProblem(reason).sentence.replace(/\.?$/, '.')} ${stay}`.trim())
    }
    setSwitching(false)
  }
  const send = (shipment: Shipment) => {
    // A packed kit cannot be claimed: what a renewal under way is answered is no longer of interest.
    overtake()
    say({ kind: 'plain', sentence: t('Saving {kitID} …', { kitID: shipment.kitID }) })
    ship.mutate(
      { body: shipment },
      {
        onSuccess() {
          play('done')
          setShipped((before) => [...before, shipment.kitID])
          say({ kind: 'right', sentence: t('{kitID} is packed.', { kitID: shipment.kitID }) })
          void next(skipped)
        },
        onError(reason) {
          const { kitID, box } = shipment
          setBegun({ kitID, step: 'outbound', ...(box && { needsBox: true }) })
          const next = box ? t('Scan another box, then both labels.') : promptOfStep.outbound
          wrong(`${asProblem(reason).sentence.replace(/\.?$/, '.')} ${next}`)
        },
      },
    )
  }

  const follow = (scanned: Scanned) => {
    if (scanned.outcome === 'wrong') {
      if (scanned.packing) setBegun(scanned.packing)
      wrong(scanned.sentence)
    } else if (scanned.outcome === 'done') send(scanned.shipment)
    else if (scanned.outcome === 'other') {
      const { kitID } = scanned
      void switchTo(kitID, () => right({ kitID, step: 'outbound' }))
    } else if (scanned.outcome === 'right') {
      right(scanned.packing)
      void renew(scanned.packing.kitID)
    }
  }
  const ask = async (packing: Packing, text: string, kitType: string) => {
    setAsking(true)
    try {
      follow(scanKnown(packing, text, await knownOf(cache, text, kitType), carrier))
    } catch (reason) {
      wrong(asProblem(reason).sentence)
    }
    setAsking(false)
  }

  return {
    kit,
    packing,
    isBusy,
    waiting,
    error,
    retry: () => void next(skipped),
    feedback:
      feedback ??
      ({ kind: 'plain', sentence: packing ? promptOfStep[packing.step] : idle(waiting) } satisfies ScanFeedback),
    last: shipped.at(-1),
    scan(text: string) {
      if (isBusy) return wrong(t('Still saving. Scan it again.'))
      if (!kit || !packing) {
        const kitID = kitIn(text)
        if (kitID === undefined) return isClaiming ? undefined : void next(skipped)
        return void switchTo(kitID, () => right({ kitID, step: 'outbound' }))
      }
      if (text.trim() === '') return
      const scanned = scan(packing, text)
      if (scanned.outcome === 'ask') void ask(packing, text, kit.kitType)
      else follow(scanned)
    },
    takeAsLabel() {
      const code = packing?.doubtful
      if (packing && code !== undefined && !isBusy) follow(takeLabel(packing, code, carrier))
    },
    goBack() {
      if (!packing || isBusy) return
      const before = back(packing)
      setBegun(before)
      say({ kind: 'plain', sentence: promptOfStep[before.step] })
    },
    skip() {
      if (!kit || isBusy) return
      const left = [...skipped, kit.kitID]
      setSkipped(left)
      say({ kind: 'plain', sentence: t('{kitID} is left for later.', { kitID: kit.kitID }) })
      void next(left)
    },
    unskip() {
      setSkipped([])
      say(undefined)
      if (!kit) void next([])
    },
    /** Ships the kit with the numbers of labels that were bought for it. */
    shipWith(numbers: Omit<Shipment, 'box'>) {
      if (packing && !isBusy) send({ ...numbers, ...(packing.box && { box: packing.box }) })
    },
    skippedCount: skipped.length,
    withoutReturn() {
      if (packing?.step === 'return' && !isBusy) send(shipmentOf(packing, carrier))
    },
    undo() {
      const kitID = shipped.at(-1)
      if (kitID === undefined || isBusy) return
      unship.mutate(
        { params: { path: { kitID } } },
        {
          onSuccess() {
            setShipped((before) => before.slice(0, -1))
            setBegun(undefined)
            const sentence = t('{kitID} is back in the queue. Remove its labels.', { kitID })
            void switchTo(kitID, () => say({ kind: 'plain', sentence }))
          },
          onError: (reason) => wrong(asProblem(reason).sentence),
        },
      )
    },
  }
}

const idle = (waiting: number | undefined) =>
  waiting ? t('The waiting kits were skipped or are being packed by others.') : t('No kits are waiting.')
