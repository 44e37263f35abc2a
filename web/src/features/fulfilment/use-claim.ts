import { useCallback, useEffect, useRef, useState } from 'react'
import { clientOf } from '../../api/client.ts'
import { useWrite } from '../../api/hooks.ts'
import type { QueuedKit } from '../../api/operator-shapes.ts'
import { asProblem, type Problem } from '../../api/problem.ts'

interface Wanted {
  kitID?: string
  skip: readonly string[]
}

// New for each page load, so that a late release can only free what that page held.
const station = crypto.randomUUID()

/** The kit that this window packs. Nobody else gets it until it is posted or released, or idle for ten minutes. */
export function useClaim(businessID: string | undefined) {
  const [kit, setKit] = useState<QueuedKit>()
  const [waiting, setWaiting] = useState<number>()
  const [error, setError] = useState<Problem>()
  const held = useRef<string>(undefined)
  const isLeft = useRef(false)
  // Counts claims: only the answer to the last one is true.
  const turn = useRef(0)
  const { mutateAsync, isPending } = useWrite('post', '/operator/v1/fulfilment/claims')

  const overtake = useCallback(() => ++turn.current, [])
  /**
   * Claims a kit, or the next one; false if the packer was faster than the answer, which then changes nothing.
   * @throws Problem if there is no such kit, or someone else packs it
   */
  const take = useCallback(
    async ({ kitID, skip }: Wanted) => {
      const mine = overtake()
      try {
        const claimed = await mutateAsync({ body: { station, kitID, businessID, skip: [...skip] } })
        if (isLeft.current && claimed.kit) release(claimed.kit.kitID)
        if (mine !== turn.current) return false
        held.current = claimed.kit?.kitID
        setKit(claimed.kit)
        setWaiting(claimed.waiting)
        setError(undefined)
        return true
      } catch (reason) {
        if (mine !== turn.current) return false
        throw reason
      }
    },
    [mutateAsync, businessID, overtake],
  )
  const next = useCallback(
    (skip: readonly string[]) => take({ skip }).catch((reason: unknown) => setError(asProblem(reason))),
    [take],
  )

  useEffect(() => {
    void next([])
  }, [next])
  useEffect(() => {
    // Also when the window is closed, so that its kit is free at once and not in ten minutes.
    const leave = () => held.current !== undefined && release(held.current)
    window.addEventListener('pagehide', leave)
    isLeft.current = false
    return () => {
      isLeft.current = true
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [])

  return { kit, waiting, error, take, next, overtake, isClaiming: isPending }
}

function release(kitID: string): void {
  const init = { params: { path: { kitID }, query: { station } }, keepalive: true }
  // Without an answer the kit is free in ten minutes.
  void clientOf()
    .DELETE('/operator/v1/fulfilment/claims/{kitID}', init)
    .catch(() => undefined)
}
