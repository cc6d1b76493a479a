/** The user's own FOXML 1.1 files, sent to Fedora as they are. */
package org.fedometer.datasets.foxml;
