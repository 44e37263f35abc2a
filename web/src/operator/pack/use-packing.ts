import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { asProblem } from '../../api/problem.ts'
import type { QueuedKit } from '../shapes.ts'
import { play } from '../sound.ts'
import type { Answer } from '../station/answer.tsx'
import { back, begin, type Packing, type Shipment, scan, shipmentOf } from './steps.ts'

const asked: Record<Packing['step'], string> = {
  kit: "Scan the kit's code.",
  outbound: 'Scan the label that goes to the recipient.',
  return: 'Scan the return label.',
}

/** The work of the pack station: which kit is next, what was scanned of it, and what the last scan meant. */
export function usePacking(businessID: string | undefined, carrier: string) {
  const queue = useRead(
    '/operator/v1/fulfilment/queue',
    { params: { query: { size: 50, businessID } } },
    { keep: true },
  )
  const ship = useWrite('post', '/operator/v1/fulfilment/shipments')
  const unship = useWrite('delete', '/operator/v1/fulfilment/shipments/{kitID}')
  const [begun, setBegun] = useState<Packing>()
  const [skipped, setSkipped] = useState<readonly string[]>([])
  const [shipped, setShipped] = useState<readonly string[]>([])
  const [said, say] = useState<Answer>()

  const kits = queue.data?.data ?? []
  const kit: QueuedKit | undefined = kits.find(({ kitID }) => !skipped.includes(kitID) && !shipped.includes(kitID))
  const packing = begun !== undefined && begun.kitID === kit?.kitID ? begun : kit && begin(kit.kitID)
  const isBusy = ship.isPending || unship.isPending

  const wrong = (sentence: string) => {
    play('wrong')
    say({ kind: 'wrong', sentence })
  }
  const right = (next: Packing) => {
    play('right')
    setBegun(next)
    say({ kind: 'right', sentence: asked[next.step] })
  }
  const send = (shipment: Shipment) => {
    say({ kind: 'plain', sentence: `Saving ${shipment.kitID} …` })
    ship.mutate(
      { body: shipment },
      {
        onSuccess() {
          play('done')
          setShipped((before) => [...before, shipment.kitID])
          say({ kind: 'right', sentence: `${shipment.kitID} is packed.` })
        },
        onError(error) {
          setBegun({ kitID: shipment.kitID, step: 'outbound' })
          wrong(`${asProblem(error).message} ${asked.outbound}`)
        },
      },
    )
  }

  return {
    queue,
    kit,
    packing,
    isBusy,
    waiting: queue.data ? queue.data.pagination.total - shipped.filter((id) => isIn(kits, id)).length : undefined,
    answer: said ?? ({ kind: 'plain', sentence: packing ? asked[packing.step] : 'Nothing waits.' } satisfies Answer),
    last: shipped.at(-1),
    scan(text: string) {
      if (isBusy) return wrong('Still saving. Scan that again.')
      if (!packing) return void queue.refetch()
      if (text.trim() === '') return
      const scanned = scan(packing, text, carrier)
      if (scanned.outcome === 'wrong') wrong(scanned.sentence)
      else if (scanned.outcome === 'right') right(scanned.packing)
      else send(scanned.shipment)
    },
    goBack() {
      if (!packing || isBusy) return
      const before = back(packing)
      setBegun(before)
      say({ kind: 'plain', sentence: asked[before.step] })
    },
    skip() {
      if (!kit || isBusy) return
      setSkipped((before) => [...before, kit.kitID])
      say({ kind: 'plain', sentence: `${kit.kitID} is left for later.` })
    },
    unskip() {
      setSkipped([])
      say(undefined)
    },
    skippedCount: skipped.filter((id) => isIn(kits, id)).length,
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
            say({ kind: 'plain', sentence: `${kitID} is back in the queue. Take its labels off.` })
          },
          onError: (error) => wrong(asProblem(error).message),
        },
      )
    },
  }
}

const isIn = (kits: readonly QueuedKit[], id: string) => kits.some(({ kitID }) => kitID === id)
