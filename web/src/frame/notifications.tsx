import { Notifications } from '@mantine/notifications'

export function ShownMessages() {
  return <Notifications position="bottom-right" autoClose={5_000} transitionDuration={120} />
}
