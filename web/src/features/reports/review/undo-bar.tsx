import { Button, Group, Kbd, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { t } from '../../../language/t.ts'
import css from './review.module.css'

interface UndoBarProps {
  sendsAt: number
  undo: () => void
  publishNow: () => void
}

/** The countdown of a decision, with the way back. */
export function UndoBar({ sendsAt, undo, publishNow }: UndoBarProps) {
  const seconds = useSecondsUntil(sendsAt)
  return (
    <div className={css.undo}>
      <Text role="status" fw={600}>
        {t('It will be published')}
      </Text>
      <Text size="sm" aria-hidden="true">
        {t('In {seconds, plural, one {# second} other {# seconds}}, or when you move on.', { seconds })}
      </Text>
      <Group gap="xs" mt="xs">
        <Button
          variant="default"
          onClick={undo}
          rightSection={
            <Kbd size="xs" visibleFrom="sm">
              U
            </Kbd>
          }
        >
          {t('Undo')}
        </Button>
        <Button variant="subtle" onClick={publishNow}>
          {t('Publish now')}
        </Button>
      </Group>
    </div>
  )
}

function useSecondsUntil(time: number): number {
  const secondsLeft = () => Math.max(0, Math.ceil((time - Date.now()) / 1000))
  const [seconds, setSeconds] = useState(secondsLeft)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsLeft()), 250)
    return () => clearInterval(timer)
  }, [time])
  return seconds
}
