import { Box, Button, Code, Collapse, CopyButton, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { t } from '../language/t.ts'
import { Icon } from './icon.tsx'

interface RawJsonProps {
  value: unknown
  /** The request that answers the same: `/api/v1/orders/123`. */
  path: string
  method?: 'GET' | 'POST'
}

/** The raw JSON and the equivalent curl command, collapsed. */
export function RawJson({ value, path, method = 'GET' }: RawJsonProps) {
  const [opened, { toggle }] = useDisclosure()
  const curl = curlOf(method, path, method === 'POST' ? value : undefined)
  return (
    <Box className="no-print">
      <UnstyledButton onClick={toggle} aria-expanded={opened} c="dimmed">
        <Group gap={6}>
          <Icon name={opened ? 'down' : 'chevron'} size={14} />
          <Text size="sm">{t('JSON and curl')}</Text>
        </Group>
      </UnstyledButton>
      <Collapse expanded={opened} transitionDuration={120}>
        <Stack gap="xs" mt="xs">
          <CopyBlock text={curl} label={t('Copy curl')} name="curl" />
          <CopyBlock text={JSON.stringify(value, null, 2)} label={t('Copy JSON')} name="JSON" />
        </Stack>
      </Collapse>
    </Box>
  )
}

interface CopyBlockProps {
  text: string
  /** Of its button. */
  label: string
  /** What it is, for screen readers. */
  name?: string
}

export function CopyBlock({ text, label, name = label }: CopyBlockProps) {
  return (
    <Box pos="relative">
      <Code block style={{ maxHeight: 420, overflow: 'auto' }} tabIndex={0} aria-label={name}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button size="compact-xs" variant="default" pos="absolute" top={8} right={8} onClick={copy}>
            {copied ? t('Copied') : label}
          </Button>
        )}
      </CopyButton>
    </Box>
  )
}

function curlOf(method: string, path: string, body: unknown): string {
  const verb = method === 'GET' ? '' : ` -X ${method}`
  const data = body === undefined ? '' : dataOf(JSON.stringify(body))
  return String.raw`curl${verb} '${location.origin}${path}' \
  -H "Authorization: Token $KITLANE_TOKEN"${data}`
}

const dataOf = (body: string) => String.raw` \
  -H 'Content-Type: application/json' \
  -d '${quoted(body)}'`

// Inside single quotes a shell takes everything literally, except the quote itself.
const quoted = (text: string) => text.replaceAll("'", "'\\''")
