import { Alert, List, Text } from '@mantine/core'
import { useRealmPath } from '../../app/realm.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { t } from '../../language/t.ts'

export interface AddedNoticeProps {
  title: string
  reports: readonly string[]
  /** What could not be used, each with its reason. */
  unused: readonly string[]
  converted?: readonly { name: string; from: string; to: string }[]
}

/** The outcome of adding data: nothing is dropped silently. */
export function AddedNotice({ title, reports, unused, converted = [] }: AddedNoticeProps) {
  const path = useRealmPath()
  return (
    <Alert color={unused.length > 0 ? 'orange' : 'green'} variant="light" title={title} role="status">
      {reports.map((reportID) => (
        <Text key={reportID}>
          <PageLink to={path('reports', reportID)}>{t('Open the report')}</PageLink>
        </Text>
      ))}
      {unused.length > 0 && (
        <>
          <Text>{t('Not used:')}</Text>
          <List size="sm">
            {unused.map((text) => (
              <List.Item key={text}>{text}</List.Item>
            ))}
          </List>
        </>
      )}
      {converted.length > 0 && (
        <Text size="sm">
          {t('Converted: {list}', {
            list: converted.map(({ name, from, to }) => t('{name} from {from} to {to}', { name, from, to })).join(', '),
          })}
        </Text>
      )}
    </Alert>
  )
}
