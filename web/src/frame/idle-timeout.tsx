import { Button, Group, Modal, Text } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { lastUse } from '../api/client.ts'
import type { Session } from '../api/shapes.ts'
import { readSession, signOut } from '../app/session.tsx'
import { t } from '../language/t.ts'

const WARNING_MS = 60_000
// Typing into a long form sends no request: while someone works, the session is kept alive this often.
const SIGN_OF_LIFE_MS = 4 * 60_000

/** Warns a minute before an idle session ends, and signs out when it does. */
export function IdleTimeout({ session }: { session: Session }) {
  const { href } = useLocation()
  const idleMs = useRef(0)
  const isLeaving = useRef(false)
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
  return (
    <Modal opened={leftMs < WARNING_MS} onClose={stay} title={t('Still there?')} size="sm" centered>
      <Text mb="md">
        {t("To protect people's data, you will be signed out in {seconds, plural, one {# second} other {# seconds}}.", {
          seconds: Math.max(0, Math.ceil(leftMs / 1000)),
        })}
      </Text>
      <Group>
        <Button onClick={stay} data-autofocus>
          {t('Stay signed in')}
        </Button>
        <Button variant="default" onClick={() => void signOut()}>
          {t('Sign out now')}
        </Button>
      </Group>
    </Modal>
  )
}
