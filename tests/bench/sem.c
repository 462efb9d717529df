// SPDX-License-Identifier: ISC
//
// Two processes and two semaphores. Marks 1 to 2: ROUNDS times each wakes the other and waits for it, so both are switched to. Marks 2 to 3: as
// many units are posted and taken with nobody waiting.
#include <semaphore.h>
#include <unistd.h>

#define ROUNDS 200

int mark(int n);

int main(void)
{
	sem_t ping, pong;

	if (sem_init(&ping, 1, 0) < 0 || sem_init(&pong, 1, 0) < 0)
		return 1;
	if (fork() == 0)
		for (;;) {
			sem_wait(&ping);
			sem_post(&pong);
		}
	sem_post(&ping);
	sem_wait(&pong);
	mark(1);
	for (int i = 0; i < ROUNDS; i++) {
		sem_post(&ping);
		sem_wait(&pong);
	}
	mark(2);
	for (int i = 0; i < ROUNDS; i++) {
		sem_post(&pong);
		sem_wait(&pong);
	}
	mark(3);
	return 0;
}
