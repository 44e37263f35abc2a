import { Stack, Text } from '@mantine/core'
import { CopyBlock } from '../../components/raw-json.tsx'
import { t } from '../../language/t.ts'

/** The link of an invitation, if no mail server is configured to send it. */
export function InvitationLink({ url }: { url: string | undefined }) {
  if (url === undefined) return null
  return (
    <Stack gap="xs" mb="md">
      <Text>
        {t(
          'No mail server is configured, so no e-mail was sent. Pass this link on yourself. It works once and expires after 72 hours.',
        )}
      </Text>
      <CopyBlock text={url} label={t('Copy link')} name={t('link')} />
    </Stack>
  )
}
