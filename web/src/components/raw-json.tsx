import { Box, Button, Code, Collapse, CopyButton, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
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
          <Text size="sm">JSON and curl</Text>
        </Group>
      </UnstyledButton>
      <Collapse expanded={opened} transitionDuration={120}>
        <Stack gap="xs" mt="xs">
          <CopyBlock text={curl} label="Copy curl" />
          <CopyBlock text={JSON.stringify(value, null, 2)} label="Copy JSON" />
        </Stack>
      </Collapse>
    </Box>
  )
}

export function CopyBlock({ text, label }: { text: string; label: string }) {
  return (
    <Box pos="relative">
      <Code block style={{ maxHeight: 420, overflow: 'auto' }} tabIndex={0} aria-label={label.replace('Copy ', '')}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button size="compact-xs" variant="default" pos="absolute" top={8} right={8} onClick={copy}>
            {copied ? 'Copied' : label}
          </Button>
        )}
      </CopyButton>
    </Box>
  )
}

function curlOf(method: string, path: string, body: unknown): string {
  const data =
    body === undefined ? '' : ` \\\n  -H 'Content-Type: application/json' \\\n  -d '${quoted(JSON.stringify(body))}'`
  const verb = method === 'GET' ? '' : ` -X ${method}`
  return `curl${verb} '${location.origin}${path}' \\\n  -H "Authorization: Token $KITLANE_TOKEN"${data}`
}

// Inside single quotes a shell takes everything literally, except the quote itself.
const quoted = (text: string) => text.replaceAll("'", "'\\''")
