import { Tabs, Title } from '@mantine/core'
import { Sheet } from '../../components/sheet.tsx'
import { t } from '../../language/t.ts'
import { FileForm } from './file-form.tsx'
import { QuizForm } from './quiz-form.tsx'
import { ValuesForm } from './values-form.tsx'

/** Adds results and answers that did not come from a kit. */
export function AddData({ customerID }: { customerID: number }) {
  return (
    <Sheet>
      <Title order={2} mb="sm">
        {t('Add data')}
      </Title>
      <Tabs defaultValue="values" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="values">{t('Test values')}</Tabs.Tab>
          <Tabs.Tab value="file">{t('Laboratory file')}</Tabs.Tab>
          <Tabs.Tab value="quiz">{t('Quiz answers')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="values">
          <ValuesForm customerID={customerID} />
        </Tabs.Panel>
        <Tabs.Panel value="file">
          <FileForm customerID={customerID} />
        </Tabs.Panel>
        <Tabs.Panel value="quiz">
          <QuizForm customerID={customerID} />
        </Tabs.Panel>
      </Tabs>
    </Sheet>
  )
}
