/** Logs a person in without a phone and without a browser. `location`: the address to which your `/login` sends the browser. Answers the address of your callback. */
export const confirmedByTheSandbox = async (baseUrl: string, location: string): Promise<string> => {
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${baseUrl}/sandbox/v1/phones${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as Record<string, string>;
  };
  const { phoneId } = await post('', { persona: 'ok' });
  const { redirect } = await post(`/${phoneId}/login`, { url: location });
  return redirect ?? '';
};
