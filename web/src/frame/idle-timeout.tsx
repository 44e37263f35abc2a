import { useLocation } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { lastUse } from '../api/client.ts'
import type { Session } from '../api/shapes.ts'
import { onDemand } from '../app/on-demand.ts'
import { readSession, signOut } from '../app/session.tsx'

const StillThere = onDemand(
  async () => (await import('./still-there.tsx')).StillThere,
  () => null,
)

const WARNING_MS = 60_000
// Typing into a long form sends no request: while someone works, the session is kept alive this often.
const SIGN_OF_LIFE_MS = 4 * 60_000

/** Warns a minute before an idle session ends, and signs out when it does. */
export function IdleTimeout({ session }: { session: Session }) {
  const { href } = useLocation()
  const idleMs = useRef(0)
  const isLeaving = useRef(false)
  const [isWarned, setWarned] = useState(false)
  const [leftMs, setLeftMs] = useState(Number.POSITIVE_INFINITY)

  useEffect(() => {
    // A duration and not a time, because the clocks of browser and server may differ.
    idleMs.current = Math.max(2 * WARNING_MS, Date.parse(session.idleUntil) - Date.now())
  }, [session])

  useEffect(() => {
    const timer = setInterval(() => {
      const left = lastUse() + idleMs.current - Date.now()
      setLeftMs(left)
      if (left > 0 || isLeaving.current) return
      isLeaving.current = true
      void signOut({ next: href })
    }, 1000)
    return () => clearInterval(timer)
  }, [href])

  useEffect(() => {
    const stay = () => {
      const rested = Date.now() - lastUse()
      if (rested > SIGN_OF_LIFE_MS && rested < idleMs.current - WARNING_MS) void readSession().catch(() => undefined)
    }
    addEventListener('keydown', stay)
    addEventListener('pointerdown', stay)
    return () => {
      removeEventListener('keydown', stay)
      removeEventListener('pointerdown', stay)
    }
  }, [])

  const stay = () => void readSession().catch(() => undefined)
  if (leftMs < WARNING_MS && !isWarned) setWarned(true)
  return isWarned ? (
    <Suspense>
      <StillThere leftMs={leftMs < WARNING_MS ? leftMs : undefined} stay={stay} />
    </Suspense>
  ) : null
}
