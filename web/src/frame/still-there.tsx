import { Button, Group, Modal, Text } from '@mantine/core'
import { signOut } from '../app/session.tsx'
import { t } from '../language/t.ts'

/** Asks whether somebody is still there; without `leftMs` it is closed. */
export function StillThere({ leftMs, stay }: { leftMs: number | undefined; stay: () => void }) {
  return (
    <Modal opened={leftMs !== undefined} onClose={stay} title={t('Still there?')} size="sm" centered>
      <Text mb="md">
        {t("To protect people's data, you will be signed out in {seconds, plural, one {# second} other {# seconds}}.", {
          seconds: Math.max(0, Math.ceil((leftMs ?? 0) / 1000)),
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
