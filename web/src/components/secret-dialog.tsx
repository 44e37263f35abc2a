import { Alert, Button, Modal, Stack, Text } from '@mantine/core'
import { t } from '../language/t.ts'
import { CopyBlock } from './raw-json.tsx'

interface SecretDialogProps {
  title: string
  sentence: string
  /** Can be read now and never again; undefined hides the dialog. */
  secret: string | undefined
  onClose: () => void
}

/** A secret that is shown once. The dialog stays open until the person confirms that they have saved it. */
export function SecretDialog({ title, sentence, secret, onClose }: SecretDialogProps) {
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      title={title}
      centered
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="md">
        <Text>{sentence}</Text>
        <CopyBlock text={secret ?? ''} label={t('Copy')} />
        <Alert color="orange" variant="light">
          {t('It is shown only once. Store it in a safe place.')}
        </Alert>
        <Button onClick={onClose} w="fit-content">
          {t('I have saved it')}
        </Button>
      </Stack>
    </Modal>
  )
}
