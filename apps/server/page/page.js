// The page until there is an editor. Text from the server goes into the page as text only.
const secret = location.hash.slice(1);
// The secret of a link must not stay in the address bar or the history.
if (secret) history.replaceState(null, '', location.pathname);

const LATER = 'Your session is kept on this machine for up to 30 days.';
const forms = {
  '/setup': {
    title: 'Make the owner account',
    hint: 'The owner invites the others. This link is good once.',
    fields: ['email', 'name', 'password'],
    button: 'Make the account',
    send: (values) => call('POST', '/api/v1/setup', { secret, ...values }),
  },
  '/invite': {
    title: 'Join',
    hint: 'You are invited. This link is good once.',
    fields: ['email', 'name', 'password'],
    button: 'Join',
    send: (values) => call('POST', '/api/v1/invitations/accept', { secret, ...values }),
  },
  '/password': {
    title: 'Set a new password',
    hint: 'This ends all sessions of the account. The link is good once.',
    fields: ['password'],
    button: 'Set the password',
    send: (values) => call('POST', '/api/v1/password-reset', { secret, ...values }),
  },
  '/': {
    title: 'Log in',
    hint: LATER,
    fields: ['email', 'password'],
    button: 'Log in',
    send: (values) => call('POST', '/api/v1/login', values),
  },
};
const wanted = secret && forms[location.pathname] ? location.pathname : '/';
const find = (selector) => document.querySelector(selector);

const me = wanted === '/' ? await call('GET', '/api/v1/me').catch(() => undefined) : undefined;
if (me) showHome(me);
else await showForm(forms[wanted]);

async function call(method, path, body) {
  const answer = await fetch(path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const json = text ? JSON.parse(text) : undefined;
  if (!answer.ok) throw new Error(json?.detail ?? `The server answered ${answer.status}.`);
  return json;
}

async function showForm({ title, hint, fields, button, send }) {
  const section = find('#form');
  section.querySelector('h2').textContent = title;
  section.querySelector('.hint').textContent = hint;
  for (const label of section.querySelectorAll('label')) label.hidden = !fields.includes(label.dataset.field);
  const form = section.querySelector('form');
  const submit = form.querySelector('button');
  submit.textContent = button;
  form.password.autocomplete = wanted === '/' ? 'current-password' : 'new-password';
  section.hidden = false;
  if (wanted === '/invite') await showInvitation(section, form);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    submit.disabled = true;
    const problem = form.querySelector('.problem');
    problem.textContent = '';
    const given = fields.map((field) => [field, form.elements[field].value]);
    try {
      await send(Object.fromEntries(given.filter(([, value]) => value !== '')));
      location.assign('/');
    } catch (error) {
      problem.textContent = error.message;
      submit.disabled = false;
    }
  });
}

async function showInvitation(section, form) {
  try {
    const { workspace, role, email } = await call('POST', '/api/v1/invitations/look', { secret });
    section.querySelector('h2').textContent = `Join “${workspace}”`;
    section.querySelector('.hint').textContent = `You are invited as ${role}. This link is good once.`;
    if (email) form.email.value = email;
  } catch (error) {
    form.querySelector('.problem').textContent = error.message;
  }
}

function showHome({ account, workspace, role }) {
  const out = Object.assign(document.createElement('button'), { className: 'plain', textContent: 'Log out' });
  out.addEventListener('click', async () => {
    await call('POST', '/api/v1/logout').catch(() => undefined);
    location.assign('/');
  });
  find('#who').append(`${account.name} · ${role} of “${workspace.name}” · `, out);
  find('#home').hidden = false;
  showPipelines();
  find('#token').addEventListener('submit', makeToken);
}

async function showPipelines() {
  const list = await call('GET', '/api/v1/pipelines').catch(() => undefined);
  const names = list?.items?.map(({ name }) => name) ?? [];
  find('#pipelines').textContent = names.length > 0 ? `Pipelines: ${names.join(', ')}.` : '';
}

async function makeToken(event) {
  event.preventDefault();
  const shown = find('#curl');
  shown.hidden = false;
  try {
    const { scopes } = await call('GET', '/api/v1/me');
    const { token } = await call('POST', '/api/v1/tokens', {
      name: event.target.elements.name.value,
      scopes,
    });
    shown.textContent = `# shown once; it may what you may\ncurl -H "Authorization: Bearer ${token}" ${location.origin}/api/v1/me`;
  } catch (error) {
    shown.textContent = error.message;
  }
}
