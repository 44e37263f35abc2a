import { useEffect, useRef, useState } from 'react'
import { asProblem, type Problem } from './problem.ts'

// Short, since a person is waiting; the service itself asks the gateway again after 10 s.
const ASK_AGAIN_MS = 2_000

/** Refusals that leave the payment's outcome open: the service is busy or away, or settles the payment just now. */
const isSettled = ({ status, code }: Problem) =>
  status === 0 || status === 429 || status >= 500 || code === 'IDEMPOTENCY_CONFLICT'

/**
 * For requests that charge a card: where its answer was lost, the same request is sent again, under its own key, until it is
 * known what became of it. Nothing is charged or ordered twice. It ends with the page.
 */
export function useSettled() {
  const [isSettling, setSettling] = useState(false)
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])
  async function untilSettled<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    for (let isKnownOpen = false; ; ) {
      try {
        const answer = await send()
        setSettling(false)
        return answer
      } catch (reason) {
        const problem = asProblem(reason)
        isKnownOpen = problem.extra.settling === true || (isKnownOpen && isSettled(problem))
        setSettling(isKnownOpen)
        if (!isKnownOpen || isLeft.current) throw problem
      }
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
    }
  }
  return { isSettling, untilSettled }
}
