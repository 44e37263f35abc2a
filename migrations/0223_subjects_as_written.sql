-- written: a laboratory or reagent in the letters of whoever named it. subject is the same in plain letters, which are compared.
alter table measured_lots add column written text;
alter table recalls add column written text;
