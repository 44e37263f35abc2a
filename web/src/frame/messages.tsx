import { useNotifications } from '@mantine/notifications'
import { Suspense, useState } from 'react'
import { onDemand } from '../app/on-demand.ts'

const Notifications = onDemand(
  async () => (await import('./notifications.tsx')).ShownMessages,
  () => null,
)

/** The short messages at the edge of the window. Their code, as much as that of a page, comes with the first of them. */
export function Messages() {
  const isEmpty = useNotifications().notifications.length === 0
  const isUsed = useWasEver(!isEmpty)
  return isUsed ? (
    <Suspense>
      <Notifications />
    </Suspense>
  ) : null
}

/** True from the first render on in which it was. */
function useWasEver(isNow: boolean): boolean {
  const [was, setWas] = useState(isNow)
  if (isNow && !was) setWas(true)
  return was
}
