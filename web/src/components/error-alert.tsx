import { Alert, Button, Group, List, Text } from '@mantine/core'
import { asProblem } from '../api/problem.ts'
import { rich, t } from '../language/t.ts'
import { Icon } from './icon.tsx'
import { IdText } from './id-text.tsx'

/** What went wrong, what to do, and the request ID that support asks for. */
export function ErrorAlert({ error, retry }: { error: unknown; retry?: () => void }) {
  const problem = asProblem(error)
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} title={problem.sentence} role="alert">
      {problem.sentence !== problem.message && (
        <Text size="sm" c="dimmed" mb="xs" lang="en">
          {problem.message}
        </Text>
      )}
      {problem.details.length > 0 && (
        <List size="sm" mb="xs">
          {problem.details.slice(0, 8).map(({ path, message }) => (
            <List.Item key={`${path} ${message}`} lang="en">
              {path ? `${path}: ${message}` : message}
            </List.Item>
          ))}
        </List>
      )}
      <Group gap="sm">
        {retry && (
          <Button size="compact-sm" variant="default" onClick={retry}>
            {t('Try again')}
          </Button>
        )}
        {problem.requestId && (
          <Text size="xs" c="dimmed" component="span">
            {rich('Request {id}', { id: <IdText value={problem.requestId} /> })}
          </Text>
        )}
      </Group>
    </Alert>
  )
}
