import { Alert, Button, Group, List, Text } from '@mantine/core'
import { asProblem } from '../api/problem.ts'
import { rich, t } from '../language/t.ts'
import { Icon } from './icon.tsx'
import { IdText } from './id-text.tsx'

interface ErrorAlertProps {
  error: unknown
  retry?: () => void
  /** Fields that say themselves what is wrong with them, by the last part of their path. */
  atFields?: readonly string[]
}

/** What went wrong, what to do, and the request ID that support asks for. */
export function ErrorAlert({ error, retry, atFields = [] }: ErrorAlertProps) {
  const problem = asProblem(error)
  const details = problem.details.filter(({ path }) => !atFields.includes(path?.split('.').at(-1) ?? ''))
  // The service's own sentence repeats the paths of all fields.
  const isInvalid = problem.code === 'VALIDATION_FAILED' && problem.details.length > 0
  const toCorrect =
    details.length === 0
      ? t('Correct what is marked')
      : t('{count, plural, one {Correct this} other {Correct these}}', { count: details.length })
  return (
    <Alert
      color="red"
      variant="light"
      icon={<Icon name="warning" />}
      title={isInvalid ? toCorrect : problem.sentence}
      role="alert"
    >
      {!isInvalid && problem.sentence !== problem.message && (
        <Text size="sm" c="dimmed" mb="xs" lang="en">
          {problem.message}
        </Text>
      )}
      {details.length > 0 && (
        <List size="sm" mb="xs">
          {details.slice(0, 8).map(({ path, message }) => (
            <List.Item key={`${path} ${message}`} lang="en">
              {[nameOf(path), message].filter(Boolean).join(': ')}
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

/** A field in words: `recipient.address.zip` is `zip`, `bulkUploadData.3.first_name` is `first name (4)`. */
function nameOf(path: string | undefined): string {
  const parts = path?.split('.') ?? []
  const name = parts.findLast((part) => !/^\d+$/.test(part)) ?? ''
  const number = parts.findLast((part) => /^\d+$/.test(part))
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return number === undefined || words === '' ? words : `${words} (${Number(number) + 1})`
}
