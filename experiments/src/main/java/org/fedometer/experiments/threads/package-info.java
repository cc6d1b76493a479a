/** How the threads of jobs and of commands are made. */
package org.fedometer.experiments.threads;
